"""The arena: everything of Drawbridge Arena that touches the world."""
