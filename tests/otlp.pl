#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Compares protoc --decode's text of an export to OTLP with that of an export to
# pprof, for export-otlp.t: otlp.pl OTLP PPROF.  Prints sums, and how many
# samples differ; reports mistakes in either on standard error.
use strict;
use warnings;

my ($otlp, $pprof) = map { parse($_) } @ARGV;

# A message: field => [values], each a text or such a message.
sub parse
{
	my ($file) = @_;
	my @stack = ({});

	open my $in, '<', $file or die "$file: $!\n";
	while (<$in>) {
		if (/^ *(\w+) \{$/) {
			my $m = {};
			push @{ $stack[-1]{$1} }, $m;
			push @stack, $m;
		} elsif (/^ *\}$/) {
			pop @stack;
		} elsif (/^ *(\w+): "(.*)"$/) {
			push @{ $stack[-1]{$1} }, $2;
		} elsif (/^ *(\w+): (\S+)$/) {
			push @{ $stack[-1]{$1} }, $2;
		} else {
			warn "$file:$.: $_";
		}
	}
	return $stack[0];
}

sub wrong { print STDERR "@_\n" }
sub all { @{ $_[0]{ $_[1] } // [] } }
sub one { ($_[0]{ $_[1] } // [])->[0] // $_[2] // 0 }

# A row as text, to distinguish rows.
sub text
{
	my ($m) = @_;

	return $m if !ref $m;
	return join ' ', map { my $k = $_; "$k=(" . join(',', map { text($_) }
			all($m, $k)) . ')' } sort keys %$m;
}

# A stack as text: functions, files, lines, libraries.
sub path
{
	my ($d, $base, $functions, @locations) = @_;
	my @s = all($d, 'strings');

	return join ';', map {
		my $l = $_;
		my $m = one($l, 'mapping');
		$m = $m ? $s[one(($d->{mappings})->[$m - $base], 'file')] : '';
		map {
			my $f = $functions->[one($_, 'function') - $base];
			join ':', $m, one($l, 'address'), (map { $s[one($f, $_)] }
				'name', 'system', 'file'), one($f, 'line'),
				one($_, 'line')
		} all($l, 'lines')
	} map { $d->{locations}[$_ - $base] } @locations;
}

my (%samples, %sums);

# pprof: rows have numbers from 1, in their order.
for my $table ('mappings', 'locations', 'functions') {
	my $n = 0;
	for (all($pprof, $table)) {
		wrong("pprof: $table: not in order") if one($_, 'id') != ++$n;
	}
}
{
	my @s = all($pprof, 'strings');
	my @types = map { $s[one($_, 'type')] } all($pprof, 'types');
	for my $a (all($pprof, 'samples')) {
		my %by = map { ($s[one($_, 'key')] => one($_, 'text')
			? $s[one($_, 'text')] : one($_, 'number')) }
			all($a, 'labels');
		my $key = join '|', path($pprof, 1, $pprof->{functions},
			all($a, 'path')), map { $by{$_} // '-' }
			'type', 'thread', 'bytes';
		my $i = 0;
		for my $v (all($a, 'values')) {
			$samples{"$types[$i]|$key"} += $v if $v;
			$i++;
		}
	}
}

my $d = one($otlp, 'dictionary');
my %used = map { $_ => { 0 => 1 } } qw(mappings locations functions links strings
	attributes stacks);
my %first = (links => 'span=(' . '\\000' x 8 . ') trace=(' . '\\000' x 16 . ')');

# Its number leads somewhere.
sub row
{
	my ($table, $i) = @_;
	my @rows = all($d, $table);

	wrong("$table: no row $i") if $i < 0 || $i > $#rows;
	$used{$table}{$i} = 1;
	return $rows[$i];
}

for my $table (keys %used) {
	my %seen;
	my @rows = all($d, $table);
	my $first = text($rows[0] // 'none');
	wrong("$table: the first row is $first") if $first ne ($first{$table} // '');
	wrong("$table: twice: $_") for grep { $seen{$_}++ } map { text($_) } @rows;
}

my %keys = ('allocation.type' => 0, 'thread.name' => 1, 'allocation.size' => 2);
my ($of) = all($otlp, 'of');
printf "%s %s\n", one($_, 'key'), one(one($_, 'value'), 'text')
	for all(one($of, 'resource'), 'attributes');
for my $p (all(one($of, 'scoped'), 'profiles')) {
	my $type = row('strings', one(one($p, 'type'), 'type'));
	my (%seen, $sum);
	row('strings', one(one($p, $_->[0]), $_->[1])) for ['type', 'unit'],
		['period_type', 'type'], ['period_type', 'unit'];
	$sum = 0;
	for my $sample (all($p, 'samples')) {
		my @by = ('-') x 3;
		my $id = join ',', one($sample, 'stack'), sort { $a <=> $b }
			all($sample, 'attributes');
		wrong("a sample twice: $id") if $seen{$id}++;
		for (all($sample, 'attributes')) {
			my $k = row('attributes', $_);
			my $v = one($k, 'value');
			my $i = $keys{row('strings', one($k, 'key'))};
			$by[$i] = one($v, 'text', one($v, 'number'));
			row('strings', one($k, 'unit'));
		}
		my $stack = row('stacks', one($sample, 'stack'));
		for my $l (map { row('locations', $_) } all($stack, 'locations')) {
			my $m = row('mappings', one($l, 'mapping'));
			row('strings', one($m, 'file'));
			row('functions', one($_, 'function')) for all($l, 'lines');
		}
		wrong("no stack") if !one($sample, 'stack');
		wrong("values") if all($sample, 'values') != 1;
		$samples{join '|', $type, path($d, 0, $d->{functions},
			all($stack, 'locations')), @by} -= one($sample, 'values');
		$sum += one($sample, 'values');
	}
	print "sum $type $sum\n";
}

# Rows that samples use only indirectly; after that each row must be in use.
for my $m (map { $d->{mappings}[$_] } grep { $_ } keys %{ $used{mappings} }) {
	row('strings', one(row('attributes', $_), 'key')) for all($m, 'attributes');
}
for my $f (map { $d->{functions}[$_] } grep { $_ } keys %{ $used{functions} }) {
	row('strings', one($f, $_)) for 'name', 'system', 'file';
}
for my $table (sort keys %used) {
	my $n = all($d, $table);
	wrong("$table: $_ isn't used: ", text($d->{$table}[$_]))
		for grep { !$used{$table}{$_} } 0 .. $n - 1;
}
printf "differ %d\n", scalar grep { $_ } values %samples;
