"""The MCP door: every app's tools, over HTTP at /mcp and over stdio.

http.py, stdio.py   who calls (admission.py), by which transport
server.py           the protocol, by the official SDK; registry.py gathers the tools, schemas.py publishes them
threads.py          out of the event loop, into threads with database connections
calling.py          one call: arguments read, the tool run, its answer or a sentence
"""
