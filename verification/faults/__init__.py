"""Campaigns of faults in the synthesised netlist (docs/fault-campaign.md)."""
