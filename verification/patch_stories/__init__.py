"""Stories of firmware in the field: algorithms that fell or came later, on a core that does not change."""
