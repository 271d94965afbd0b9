-- SPDX-License-Identifier: GPL-3.0-or-later
--
-- What lua programs do, for tests/bench/run: tables of tables, strings that grow,
-- split, join, sort, closures.  Argument: how many lines.
local lines = tonumber(arg[1])
local count, seen, text = {}, {}, {}
for i = 1, lines do
	local words = {}
	for k = 3, 10 do
		words[#words + 1] = i * k * 7919 % 5003
	end
	text[i] = table.concat(words, " ")
end
text = table.concat(text, "\n")
for line in text:gmatch("[^\n]+") do
	local words = {}
	for word in line:gmatch("%d+") do
		words[#words + 1] = word
		count[word] = (count[word] or 0) + 1
	end
	local first = seen[words[1]] or {}
	seen[words[1]] = first
	first[#first + 1] = function() return words[2] + words[3] end
end
local top, sum = {}, 0
for word in pairs(count) do
	top[#top + 1] = word
end
table.sort(top, function(a, b)
	if count[a] ~= count[b] then
		return count[a] > count[b]
	end
	return a < b
end)
for _, list in pairs(seen) do
	for _, add in ipairs(list) do
		sum = sum + add()
	end
end
print(#text, #top, table.concat(top, " ", 1, 5), sum)
