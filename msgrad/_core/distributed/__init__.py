"""More than one device: ranks, which are processes with a device each, and devices of one process.

world.py       ``world``: the ranks of this job, joined when msgrad is imported
rendezvous.py  the roll call before they connect: who is missing is named
groups.py      groups of ranks by name
ordered.py     the collectives of a recorded program, in one order
across.py      ``Across``, ``collective``: what runs on several ranks
waiting.py     how long this rank has waited for the others, and when it gives up
devices.py     ``Cuts``: strategies of one process as shardings over its devices
layout.py      ``Layout``: names for the axes of a grid of devices
"""
