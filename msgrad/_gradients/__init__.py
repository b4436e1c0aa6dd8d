"""What every gradient transform is built on: one differentiated call; not public."""
