# SPDX-License-Identifier: GPL-3.0-or-later
"""What python programs do, for tests/bench/run: objects, dictionaries, strings,
JSON there and back.  Argument: how many records."""
import json
import sys


class Record:
    def __init__(self, number):
        self.number = number
        self.name = "record %d" % number
        self.tags = [word.upper() for word in self.name.split()]
        self.values = {str(number + i): i * 1.5 for i in range(5)}

    def plain(self):
        return {"number": self.number, "name": self.name, "tags": self.tags,
                "values": self.values}


records = [Record(i) for i in range(int(sys.argv[1]))]
index = {}
for record in records:
    index.setdefault(record.number % 1000, []).append(record)
text = json.dumps([r.plain() for r in records])
back = json.loads(text)
names = sorted((r["name"][::-1] for r in back))
total = sum(sum(r["values"].values()) for r in back)
print(len(index), len(text), names[0], names[-1], total)
