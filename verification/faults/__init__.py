"""Campaigns of faults in the synthesized netlist (docs/fault-campaign.md)."""
