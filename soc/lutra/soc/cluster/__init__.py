"""Several cores that share a ring (`soc/cluster`): a host for it, traffic, and measurements."""
