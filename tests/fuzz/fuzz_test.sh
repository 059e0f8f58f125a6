#!/usr/bin/env bash
# Each fuzz target for 20 seconds, as many at a time as there are processors.
exec bash "$(dirname "${BASH_SOURCE[0]}")/run" --seconds 20
