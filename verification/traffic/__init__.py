"""Random packets through the model of a cluster, each compared with another implementation, in shards."""
