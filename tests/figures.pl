#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Compares the figures that mpreduce prints for one data file: it takes each
# figure by name from the tables, JSON, CSV, the page, the files for other
# tools, --fail-if and --where.
#
#	figures.pl MPREDUCE PROGRAM FILE DIRECTORY
#		prints each place whose figure differs from that of the first
#		place that shows the figure, and on standard error the places
#		that lack it.  DIRECTORY is for its files.
#	figures.pl places
#		prints a table of the figures, and the places that show each.
#
# @figures maps the name of a figure to its value in each place: a number, or
# "-" where the place says that the figure isn't known; all must be the same.
# undef: the place lacks the figure, because the data doesn't allow that table
# or format.  A place that isn't in a figure's list never shows the figure.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use json;
use IO::Uncompress::Gunzip ();

my ($mpreduce, $program, $file, $dir);
my %text;	# what a way of asking printed, by its options
my %parsed;	# what is made of it

sub slurp
{
	my ($path) = @_;

	open my $in, '<:raw', $path or return '';
	local $/;
	return <$in> // '';
}

# out OPTION...: what mpreduce prints to standard output, without the errors of
# estimates.  The suppressed bytes and blocks have figures of their own.
sub out
{
	return $text{"@_"} //= do {
		open my $in, '-|', 'sh', '-c', 'exec "$@" 2>/dev/null', 'sh',
			$mpreduce, '-b', '--suppressions=none', @_, $program, $file or die "$mpreduce: $!";
		local $/;
		my $all = <$in> // '';
		close $in;
		$all =~ s/ ?\+-\s*[\d.<]+%//gr;
	};
}

# messages OPTION...: mpreduce's standard error.
sub messages
{
	open my $in, '-|', 'sh', '-c', 'exec "$@" 2>&1 >/dev/null', 'sh',
		$mpreduce, '--suppressions=none', @_, $program, $file or die "$mpreduce: $!";
	local $/;
	return <$in> // '';
}

sub exported
{
	my ($format) = @_;

	return $text{"export $format"} //= do {
		my $to = "$dir/figures.$format";
		unlink $to;
		system 'sh', '-c', 'exec "$@" >/dev/null 2>&1', 'sh', $mpreduce,
			'--suppressions=none', "--export=$format", '-o', $to, $program, $file;
		slurp($to);
	};
}

# ------------------------------------------------------------------ text --

# found REGEX, OPTION...: the first group of REGEX in the output.
sub found
{
	my ($regex, @options) = @_;

	return sub { out(@options) =~ $regex ? $1 : undef };
}

sub prolog { my $r = shift; return found(qr/^$r/m, '--full') }

# A figure for which the prolog has a line only if it isn't 0; -i always prints
# the figures that the file contains.
sub trouble
{
	my ($regex) = @_;

	return sub { out('--full') =~ /^$regex/m ? $1 : 0 };
}

# -i: the figure of that name; for samples -i prints the counts without scaling
# them.
sub info
{
	my $how = found(qr/^ *(\d+)  \Q$_[0]\E$/m, '-i');

	return sub { json()->{sample} ? undef : $how->() };
}

# The line of totals of a table, as a list.
sub total
{
	my ($at, @options) = @_;

	return sub {
		my ($line) = out(@options) =~ /^(.*<TOTAL>.*)$/m
			or return undef;
		my @words = grep { /\d|^-$|^\.$|^\*\*$/ } split /[\s|]+/,
			$line =~ s/\((?:\*\*|\.|\d+)\)//gr;
		return $words[$at] // '-';
	};
}

# The table of functions that allocate: bars separate its columns.
sub direct
{
	my ($which) = @_;

	return sub {
		my ($line) = out('-p') =~ /^(.*)<TOTAL>/m or return undef;
		my @field = split /\|/, $line;
		my %at = (bytes => 0, kept => 2, allocs => -1);

		$at{peak} = -2 if out('-p') =~ /at peak/;
		return undef unless defined $at{$which};
		return $field[$at{$which}] =~ /(\d+) *$/ ? $1 : '-';
	};
}

# --fail-if prints a figure that passes a limit.  If a figure isn't known,
# --fail-if can't say whether it is below 1.
my %limits;	# names that are asked for
sub fails
{
	my ($name, $part) = @_;

	$limits{$name} = 1;
	return sub {
		my $said = $text{fail} //= join '', map {
			my $limit = $_;
			messages('-L', map { "--fail-if=$_$limit" }
				sort keys %limits);
		} '<1', '>=0';
		return '-' if $said =~ /=\Q$name\E<1: .* is unknown/;
		return undef if $said !~
			/=\Q$name\E>=0: \w+ is (\d+)(?: bytes? in (\d+) block)?/;
		return $part ? $2 // $1 : $1;
	};
}

# --where: the total of a column of all that there is.
my @columns;	# that are asked for
sub where
{
	my ($column) = @_;

	push @columns, $column;
	return sub {
		my ($line) = out('--where=allocs>=0', '--columns=' .
			join ',', @columns) =~ /^(.*)   <TOTAL>/m
			or return undef;
		my %v;

		@v{@columns} = split ' ', $line;
		return $v{$column};
	};
}

# --file-info=list: the only row, by where the head of the column ends.
sub list
{
	my ($column) = @_;

	return sub {
		my $all = $text{list} //= do {
			open my $in, '-|', $mpreduce, '--file-info=list', '-b', $file
				or die "$mpreduce: $!";
			local $/;
			<$in> // '';
		};
		my ($head, $row) = split /\n/, $all;
		return undef unless defined $row &&
			$head =~ /(?:^|  )\Q$column\E(?=  |$)/;
		return substr($row, 0, $+[0]) =~ /(\S+)$/ ? $1 : '-';
	};
}

sub diff
{
	my ($name) = @_;

	return sub {
		my $all = $text{diff} //= do {
			open my $in, '-|', 'sh', '-c', 'exec "$@" 2>/dev/null',
				'sh', $mpreduce, '-b', '--suppressions=none', '--diff', $program, $file,
				$file or die $!;
			local $/;
			<$in> // '';
		};
		my ($old, $new) = $all =~ /^\Q$name\E +(\S+) +(\S+) /m
			or return undef;
		return $old ne $new ? "$old and $new" : $old;
	};
}

# ------------------------------------------------------------------ data --

sub json
{
	return $parsed{json} //= decode_json(out('--json'));
}

# total_json KEY...: of the totals; sums of lists.
sub total_json
{
	my @keys = @_;

	return sub {
		my $v = json()->{totals};
		$v = ref $v ? $v->{$_} : undef for @keys;
		return $v // '-';
	};
}

# path VALUE, KEY...
sub path
{
	my ($v, @keys) = @_;

	for (@keys) {
		return undef unless ref $v eq 'HASH';
		$v = $v->{$_};
	}
	return ref $v eq 'ARRAY' ? sum(@$v) : $v;
}

sub sum
{
	my $n = 0;

	$n += $_ for @_;
	return $n;
}

# rows_json ROWS, KEY...: the sum of the rows, if each is known.
sub rows_json
{
	my ($rows, @keys) = @_;

	return sub {
		my @v = map { path($_, @keys) } @{json()->{$rows}};
		return (grep { !defined } @v) ? '-' : sum(@v);
	};
}

sub life_json
{
	my ($key) = @_;

	return sub {
		return '-' unless json()->{totals}{life};
		my @v = map { path($_, 'life', $key) } @{json()->{sites}};
		return (grep { !defined } @v) ? '-' : sum(@v);
	};
}

sub leaks_json
{
	my ($kind, $what) = @_;

	return sub {
		return '-' unless json()->{totals}{leaks};
		return sum(map { path($_, 'leaks', $kind, $what) // 0 }
			@{json()->{sites}});
	};
}

# csv COLUMN: the sum over the call paths.
sub csv
{
	my ($column) = @_;

	return sub {
		my ($head, @rows) = split /\n/, exported('csv') or return undef;
		my @names = split /,/, $head // '';
		my ($at) = grep { $names[$_] eq $column } 0 .. $#names;
		my @v;

		return undef unless defined $at;
		for my $line (@rows) {
			my @f;
			push @f, defined $1 ? $1 : $2
				while $line =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g;
			push @v, $f[$at];
		}
		return (grep { !length } @v) ? '-' : sum(@v);
	};
}

sub page
{
	return $parsed{page} //= do {
		my $to = "$dir/figures.html";
		system 'sh', '-c', 'exec "$@" >/dev/null 2>&1', 'sh', $mpreduce,
			'--html=' . $to, $program, $file;
		my ($data) = slurp($to) =~
			m{<script[^>]*type="application/json"[^>]*>(.*?)</script>}s;
		decode_json($data // '{}');
	};
}

sub total_page
{
	my ($key) = @_;

	return sub { page()->{total}{$key} // '-' };
}

# pages ROWS, COLUMN: the sum over the rows; the page omits a column of zeros.
sub pages
{
	my ($rows, $column) = @_;

	return sub { sum(@{page()->{$rows}{$column} // []}) };
}

# --------------------------------------------------------- other tools' --

sub dhat
{
	my ($key) = @_;

	return sub {
		my $d = $parsed{dhat} //= decode_json(exported('dhat') ||
			'{"pps":[{}]}');
		my @v = map { $_->{$key} } @{$d->{pps}};
		return undef unless @v;
		return (grep { !defined } @v) ? undef : sum(@v);
	};
}

# massif: the largest of its peak's snapshots, or its last.
sub massif
{
	my ($tree) = @_;

	return sub {
		my @all = exported('massif') =~
			/mem_heap_B=(\d+)\n(?:.*\n){2}heap_tree=(\w+)/g;
		my $n;

		while (@all) {
			my ($bytes, $kind) = splice @all, 0, 2;
			$n = $bytes if $tree eq 'last' || $kind eq $tree;
		}
		return $n;
	};
}

sub folded
{
	return sum(exported('folded') =~ / (\d+)$/mg);
}

# Events of heaptrack: allocations, and bytes that are live at the end.
sub heaptrack
{
	my ($what) = @_;

	return sub {
		return undef unless exported('heaptrack');
		my $h = $parsed{heaptrack} //= do {
			my (%h, @size);
			my ($live, $peak, $allocs, $bytes) = (0, 0, 0, 0);
			for (split /\n/, exported('heaptrack')) {
				push @size, hex $1 if /^a (\w+)/;
				if (/^\+ (\w+)/) {
					$allocs++;
					$bytes += $size[hex $1];
					$live += $size[hex $1];
					$peak = $live if $live > $peak;
				}
				$live -= $size[hex $1] if /^- (\w+)/;
			}
			{ allocs => $allocs, bytes => $bytes, kept => $live,
			  peak => $peak };
		};
		return $h->{$what};
	};
}

# A reader of protobufs: [field, value] for each.
sub protobuf
{
	my ($d) = @_;
	my ($at, @all) = (0);
	my $varint = sub {
		my ($v, $shift) = (0, 0);
		while ($at < length $d) {
			my $b = ord substr $d, $at++, 1;
			$v |= ($b & 127) << $shift;
			last unless $b & 128;
			$shift += 7;
		}
		return $v;
	};

	while ($at < length $d) {
		my $key = $varint->();
		if (($key & 7) == 2) {
			my $n = $varint->();
			push @all, [$key >> 3, substr $d, $at, $n];
			$at += $n;
		} elsif (($key & 7) == 1) {
			push @all, [$key >> 3, unpack 'Q<', substr $d, $at, 8];
			$at += 8;
		} else {
			push @all, [$key >> 3, $varint->()];
		}
	}
	return @all;
}

# All sample types of pprof: name => sum.
sub pprof
{
	my ($name) = @_;

	return sub {
		my $all = $parsed{pprof} //= do {
			my ($in, $d, @types, @strings, @sums, %v) = exported('pprof');
			IO::Uncompress::Gunzip::gunzip(\$in => \$d) or return undef;
			for (protobuf($d)) {
				my ($field, $v) = @$_;
				if ($field == 1) {
					my %t = map { @$_ } protobuf($v);
					push @types, $t{1};
				} elsif ($field == 2) {
					for my $s (grep { $_->[0] == 2 } protobuf($v)) {
						my @n = map { $_->[1] }
							protobuf_packed($s->[1]);
						$sums[$_] += $n[$_] for 0 .. $#n;
					}
				} elsif ($field == 6) {
					push @strings, $v;
				}
			}
			$v{$strings[$types[$_]]} = $sums[$_] // 0 for 0 .. $#types;
			\%v;
		};
		return $all->{$name};
	};
}

# The messages of such a field.
sub protobuf_of { map { $_->[1] } grep { $_->[0] == $_[1] } protobuf($_[0]) }

# The profiles of OTLP: a type each.
sub otlp
{
	my ($name) = @_;

	return sub {
		my $all = $parsed{otlp} //= do {
			my ($in, $d, %v) = exported('otlp');
			IO::Uncompress::Gunzip::gunzip(\$in => \$d) or return undef;
			my @strings = map { protobuf_of($_, 5) } protobuf_of($d, 2);
			for my $p (map { protobuf_of($_, 2) } map { protobuf_of($_, 2) }
					protobuf_of($d, 1)) {
				my %t = map { @$_ } protobuf((protobuf_of($p, 1))[0]);
				$v{$strings[$t{1}]} = 0;
				$v{$strings[$t{1}]} += $_->[1]
					for map { protobuf_packed($_) }
					map { protobuf_of($_, 4) } protobuf_of($p, 2);
			}
			\%v;
		};
		return $all->{$name};
	};
}

# Numbers one after the other, as pairs whose second number is one.
sub protobuf_packed
{
	my ($d) = @_;
	my (@all, $v, $shift);

	($v, $shift) = (0, 0);
	for my $b (unpack 'C*', $d) {
		$v |= ($b & 127) << $shift;
		$shift += 7;
		next if $b & 128;
		push @all, [0, $v];
		($v, $shift) = (0, 0);
	}
	return @all;
}

# The figures in SQL tables, those of --sql and of a database for sqlite3: the
# sum of a column, if each row knows its value.
sub sums_of
{
	my ($table, $column) = @_;

	return "select count(*), count($column), sum($column) from $table";
}

sub of_sums
{
	my ($n, $known, $sum) = ($_[0] // '') =~ /^\s*(\d+)\D+(\d+)\W*(\d*)\s*$/m
		or return undef;

	return !$n ? undef : $n != $known ? '-' : $sum;
}

sub sql
{
	my ($table, $column) = @_;

	return sub { of_sums(out('--sql=' . sums_of($table, $column))) };
}

sub sqlite
{
	my ($table, $column) = @_;

	return sub {
		$text{sqlite} //= length exported('sqlite');
		open my $in, '-|', 'sh', '-c', 'exec "$@" 2>/dev/null', 'sh',
			'sqlite3', "$dir/figures.sqlite",
			sums_of($table, $column) or return undef;
		return of_sums(scalar <$in>);
	};
}

# The totals of the sum that -s makes from this file alone.  The sum knows all
# that the file knows.
sub summed
{
	my @keys = @_;

	return sub {
		my $d = $parsed{summed} //= do {
			system 'sh', '-c', 'cd "$1" && shift && exec "$@" >&2',
				'sh', $dir, $mpreduce, '-s', '-o', 'figures.sum',
				$file =~ m{^/} ? $file : "$ENV{PWD}/$file";
			open my $in, '-|', 'sh', '-c', 'exec "$@" 2>/dev/null',
				'sh', $mpreduce, '--json', '--suppressions=none',
				$program, "$dir/figures.sum" or die $!;
			local $/;
			decode_json(<$in> || '{}');
		};
		my $v = $d->{totals} or return undef;
		$v = ref $v ? $v->{$_} : undef for @keys;
		return $v // '-';
	};
}

# Blocks by size, with those without a bin.
sub bins_json
{
	my ($key) = @_;

	return sub {
		my $d = json();
		return sum(map { $_->{$key} // 0 } @{$d->{bins}}, $d->{big},
			@{$d->{unsized} // []});
	};
}

# rows_json(), for rows that some profiles lack.
sub some_json
{
	my ($rows, @keys) = @_;

	return sub {
		return @{json()->{$rows}} ? rows_json($rows, @keys)->() : undef;
	};
}

# The file itself, as rawdump prints it; rawdump has its own reader.
sub raw
{
	my ($table, $what) = @_;

	return sub {
		my $r = $parsed{raw} //= raw_sums();
		return json()->{sample} || !$r->{$table} ? undef :
			$r->{$table}{$what};
	};
}

sub raw_sums
{
	my @names = qw(allocs bytes frees freed);
	my %r;

	open my $in, '-|', 'sh', '-c', 'exec "$@" 2>/dev/null', 'sh',
		"$ENV{MEMMON_BUILD}/tests/rawdump", $file or die "rawdump: $!";
	while (<$in>) {
		my ($of, @n) = split;
		if ($of eq 'site') {
			my (undef, $reallocs, undef, @v) = @n;
			$r{site}{reallocs} += $reallocs;
			$r{site}{$names[$_ % 4]} += $v[$_] for 0 .. $#v;
			$r{site}{n}++;
		} elsif ($of eq 'thread') {
			my @v = @n[-5 .. -2];
			$r{thread}{$names[$_]} += $v[$_] for 0 .. 3;
			$r{thread}{threads} += $n[1];
		} elsif ($of eq 'peak') {
			$r{peak}{blocks} += $n[1];
			$r{peak}{bytes} += $n[2];
		}
	}
	return \%r;
}

# ----------------------------------------------------------------- table --

# The places of each figure, in order of preference, as [place, how].
my @figures = (
	[allocations => [
		[prolog => prolog(qr/allocations +(\d+|-)(?=\n)/)],
		['the file, sites' => raw('site', 'allocs')],
		['-s' => summed('allocs')],
		['json, threads' => some_json('threads', 'allocs')],
		['--sql, items' => sql('items', 'allocs')],
		['--sql, threads' => sql('threads', 'allocs')],
		['sqlite, sites' => sqlite('sites', 'allocs')],
		['sqlite, items' => sqlite('items', 'allocs')],
		['json, bins' => bins_json('allocs')],
		['-i' => info('allocations')],
		['--file-info=list' => list('allocs')],
		[bins => total(0, '-B', '--bins=all')],
		[direct => direct('allocs')],
		[types => total(0, '-T')],
		[lifetimes => total(0, '--lifetimes')],
		[threads => total(1, '--threads')],
		[json => total_json('allocs')],
		['json, sites' => rows_json('sites', qw(count allocs))],
		['json, functions' => sub {
			# Blocks without a call path belong to no function.
			my $none = sum(map { path($_, qw(count allocs)) }
				grep { !@{$_->{chain}} } @{json()->{sites}});
			return $none + rows_json('functions',
				qw(self allocs))->();
		}],
		['json, types' => rows_json('types', 'allocs')],
		[csv => csv('count.allocs')],
		[page => total_page('allocs')],
		['page, sites' => pages('sites', 'allocs')],
		['page, types' => pages('types', 'allocs')],
		['--fail-if' => fails('allocs')],
		['--where' => where('allocs')],
		['--diff' => diff('allocations')],
		[dhat => dhat('tbk')],
		[heaptrack => heaptrack('allocs')],
		[pprof => pprof('alloc_objects')],
		[otlp => otlp('alloc_objects')]]],
	[bytes => [
		[prolog => prolog(qr/bytes +(\d+|-)(?=\n)/)],
		['the file, sites' => raw('site', 'bytes')],
		['-s' => summed('bytes')],
		['json, threads' => some_json('threads', 'bytes')],
		['--sql, items' => sql('items', 'bytes')],
		['--sql, threads' => sql('threads', 'bytes')],
		['sqlite, sites' => sqlite('sites', 'bytes')],
		['sqlite, items' => sqlite('items', 'bytes')],
		['json, bins' => bins_json('bytes')],
		['-i' => info('bytes')],
		[bins => total(1, '-B', '--bins=all')],
		[direct => direct('bytes')],
		[types => total(1, '-T')],
		[threads => total(2, '--threads')],
		[json => total_json('bytes')],
		['json, sites' => rows_json('sites', qw(count bytes))],
		['json, types' => rows_json('types', 'bytes')],
		[csv => csv('count.bytes')],
		[page => total_page('bytes')],
		['page, sites' => pages('sites', 'bytes')],
		['page, types' => pages('types', 'bytes')],
		['--fail-if' => fails('bytes')],
		['--where' => where('bytes')],
		['--diff' => diff('bytes allocated')],
		[dhat => dhat('tb')],
		[heaptrack => heaptrack('bytes')],
		[folded => \&folded],
		[pprof => pprof('alloc_space')],
		[otlp => otlp('alloc_space')]]],
	[frees => [
		[prolog => prolog(qr/frees +(\d+|-)(?=\n)/)],
		['the file, sites' => raw('site', 'frees')],
		['-s' => summed('frees')],
		['json, threads' => some_json('threads', 'frees')],
		['--sql, items' => sql('items', 'frees')],
		['--sql, threads' => sql('threads', 'frees')],
		['sqlite, sites' => sqlite('sites', 'frees')],
		['sqlite, items' => sqlite('items', 'frees')],
		['json, bins' => bins_json('frees')],
		['-i' => info('frees')],
		[bins => total(2, '-B', '--bins=all')],
		[types => total(2, '-T')],
		[lifetimes => total(1, '--lifetimes')],
		[threads => total(3, '--threads')],
		[json => total_json('frees')],
		['json, sites' => rows_json('sites', qw(count frees))],
		[csv => csv('count.frees')],
		[page => total_page('frees')],
		['page, sites' => pages('sites', 'frees')],
		['--fail-if' => fails('frees')],
		['--where' => where('frees')]]],
	['bytes freed' => [
		['-i' => info('bytes freed')],
		['the file, sites' => raw('site', 'freed')],
		['-s' => summed('freed')],
		['json, threads' => some_json('threads', 'freed')],
		['--sql, items' => sql('items', 'freed')],
		['--sql, threads' => sql('threads', 'freed')],
		['sqlite, sites' => sqlite('sites', 'freed')],
		['sqlite, items' => sqlite('items', 'freed')],
		[threads => total(5, '--threads')],
		[json => total_json('freed')],
		['json, sites' => rows_json('sites', qw(count freed))],
		[csv => csv('count.freed')],
		[page => total_page('freed')],
		['page, sites' => pages('sites', 'freed')],
		['--where' => where('freed')],
		['--diff' => diff('bytes freed')]]],
	['in use at the end' => [
		[prolog => prolog(qr/live at exit +(\d+)/)],
		['-s' => summed('kept')],
		['--sql, items' => sql('items', 'kept')],
		['sqlite, sites' => sqlite('sites', 'kept')],
		['sqlite, items' => sqlite('items', 'kept')],
		['json, bins' => bins_json('kept')],
		['--file-info=list' => list('live bytes')],
		[leaks => found(qr/^Total bytes not freed: (\d+)/m, '-L',
			'--leaks=all')],
		[bins => total(3, '-B', '--bins=all')],
		[direct => direct('kept')],
		[types => total(3, '-T')],
		[json => total_json('kept')],
		['json, sites' => rows_json('sites', qw(count kept))],
		['json, types' => rows_json('types', 'kept')],
		[csv => csv('count.kept')],
		['--where' => where('kept')],
		['--diff' => diff('bytes kept')],
		[dhat => dhat('eb')],
		[massif => massif('last')],
		[heaptrack => heaptrack('kept')],
		[pprof => pprof('inuse_space')],
		[otlp => otlp('inuse_space')]]],
	['blocks in use at the end' => [
		[prolog => prolog(qr/live at exit +\d+ bytes in (\d+)/)],
		['--where' => where('kept_blocks')],
		['--diff' => diff('blocks kept')],
		[dhat => dhat('ebk')],
		[pprof => pprof('inuse_objects')],
		[otlp => otlp('inuse_objects')]]],
	[peak => [
		[prolog => prolog(qr/peak +(\d+|-) bytes/)],
		['-s' => summed('peak')],
		['--file-info=list' => list('peak bytes')],
		['--peak' => found(qr/^Peak: (\d+|-) bytes/m, '--peak')],
		['--peak, rows' => sub {
			return undef unless json()->{totals}{peak};
			return total(0, '--peak')->();
		}],
		[timeline => found(qr/P the peak: (\d+) bytes/, '--timeline')],
		[json => total_json('peak')],
		['--fail-if' => fails('peak')],
		['--diff' => diff('bytes at the peak')]]],
	['peak, of those who held it' => [
		['--peak' => total(0, '--peak')],
		['the file, peaks' => raw('peak', 'bytes')],
		['sqlite, sites' => sqlite('sites', 'peak')],
		['-i' => info('bytes at the peak')],
		[direct => direct('peak')],
		['json, sites' => sub {
			return '-' unless json()->{totals}{peak_known};
			return rows_json('sites', qw(count peak))->();
		}],
		[csv => csv('count.peak')],
		[page => total_page('peak')],
		['page, sites' => sub {
			return '-' unless defined page()->{total}{peak};
			return pages('sites', 'peak')->();
		}],
		['--where' => where('peak')],
		[dhat => dhat('gb')],
		[massif => massif('peak')],
		[pprof => pprof('peak_space')],
		[otlp => otlp('peak_space')]]],
	['blocks at the peak' => [
		['--peak' => found(qr/^Peak: .* in (\d+) block/m, '--peak')],
		['the file, peaks' => raw('peak', 'blocks')],
		['-s' => summed('peak_blocks')],
		['sqlite, sites' => sqlite('sites', 'peak_blocks')],
		['--peak, total' => total(1, '--peak')],
		['-i' => info('blocks at the peak')],
		[json => total_json('peak_blocks')],
		['json, sites' => sub {
			return '-' unless json()->{totals}{peak_known};
			return rows_json('sites', 'peak_blocks')->();
		}],
		['--fail-if' => fails('peak.blocks', 1)],
		['--where' => where('peak_blocks')],
		[pprof => pprof('peak_objects')],
		[otlp => otlp('peak_objects')]]],
	['slack of the peak' => [
		[prolog => prolog(qr/peak .*\(\+- (\d+)\)/)],
		['--peak' => found(qr/exact to within (\d+) bytes/, '--peak')],
		['-i' => info("peak's slack")],
		[json => total_json('peak_slack')],
		[page => total_page('peak_slack')]]],
	['time of the peak' => [
		[prolog => prolog(qr/peak .* (\d+\.?\d*) s after the start/)],
		['--peak' => found(qr/, (\d+\.?\d*) s after/, '--peak')],
		[timeline => found(qr/P the peak: .* (\d+\.?\d*) s after/,
			'--timeline')]]],
	[reallocs => [
		[prolog => prolog(qr/reallocs +(\d+|-)(?=\n)/)],
		['the file, sites' => raw('site', 'reallocs')],
		['-s' => summed('reallocs')],
		['sqlite, sites' => sqlite('sites', 'reallocs')],
		['-i' => info('reallocations')],
		[json => total_json('reallocs')],
		['json, sites' => rows_json('sites', 'reallocs')],
		[csv => csv('reallocs')],
		['page, sites' => pages('sites', 'reallocs')],
		['--fail-if' => fails('reallocs')],
		['--diff' => diff('reallocs')]]],
	[threads => [
		[prolog => prolog(qr/threads +(\d+|-)(?=\n)/)],
		['the file, threads' => raw('thread', 'threads')],
		['-s' => summed('threads')],
		['json, threads' => some_json('threads', 'threads')],
		['--sql, threads' => sql('threads', 'threads')],
		[json => total_json('threads')],
		[threads => total(0, '--threads')],
		['--diff' => diff('threads')]]],
	['freed at once' => [
		['-i' => info('blocks freed before the next allocation')],
		['-s' => summed(qw(life temps))],
		['sqlite, sites' => sqlite('sites', 'temps')],
		[json => total_json(qw(life temps))],
		['json, sites' => life_json('temps')],
		['--where' => where('temps')]]],
	['freed soon' => [
		['-i' => info('blocks freed before the 16th next')],
		[json => total_json(qw(life near))],
		['json, sites' => life_json('near')],
		['--where' => where('near')]]],
	['freed by another thread' => [
		['-i' => info('blocks freed by others')],
		['-s' => summed(qw(life by_others))],
		['sqlite, sites' => sqlite('sites', 'by_others')],
		[lifetimes => sub {
			my ($v) = out('--lifetimes') =~
				/^ *\d+ +\d+ .{18} *(\d+) +\d+ .*<TOTAL>/m;
			return $v;
		}],
		[json => total_json(qw(life by_others))],
		['json, sites' => life_json('by_others')],
		['--where' => where('by_others')]]],
	['blocks timed' => [
		['-i' => info('blocks timed')],
		[json => total_json(qw(life timed))],
		['json, sites' => life_json('timed')]]],
	[leaks('lost', 'blocks lost', 'bytes lost', 'bytes lost')],
	[leaks('indirect', 'blocks indirectly lost', 'bytes indirectly lost')],
	[leaks('interior', 'blocks interior',
		'bytes interior')],
	[leaks('reachable', 'blocks reachable', 'bytes reachable')],
	[leaked => [
		[page => total_page('leaked')],
		['page, sites' => sub {
			return '-' unless defined page()->{total}{leaked};
			return pages('sites', 'leaked')->();
		}],
		['--where' => where('leaked')],
		['--fail-if' => fails('leaked')],
		[json => sub {
			my $l = json()->{totals}{leaks} or return '-';
			return $l->{lost}{bytes} + $l->{indirect}{bytes};
		}]]],
	['allocations unrecorded' => [
		['-i' => info('allocations unrecorded')],
		[tables => found(qr/^unrecorded: (\d+) allocations/m, '-L')],
		[json => total_json('unrecorded')],
		['--fail-if' => fails('unrecorded.blocks', 1)]]],
	['bytes unrecorded' => [
		['-i' => info('bytes unrecorded')],
		[tables => found(qr/^unrecorded: \d+ allocations of (\d+) /m,
			'-L')],
		[json => total_json('unrecorded_bytes')],
		['--fail-if' => fails('unrecorded.bytes')]]],
	[reads => [
		[prolog => prolog(qr/accesses +(\d+) reads/)],
		[page => total_page('reads')],
		['--where' => where('reads')]]],
	[writes => [
		[prolog => prolog(qr/accesses .* (\d+) writes/)],
		[page => total_page('writes')],
		['--where' => where('writes')]]],
	['of too many paths' => [
		[json => total_json('limited')],
		['-s' => summed('limited')],
		[prolog => trouble(qr/limited +(\d+) /)]]],
	['of too many paths, bytes' => [
		[json => total_json('limited_bytes')],
		['-s' => summed('limited_bytes')],
		[prolog => trouble(qr/limited +.*allocations of (\d+) bytes/)]]],
	['of too many paths, kept' => [
		[json => total_json('limited_kept')],
		['-s' => summed('limited_kept')],
		[prolog => trouble(qr/limited +.* bytes, (\d+) kept/)]]],
	['of too many sizes' => [
		[json => total_json('classed')],
		['-s' => summed('classed')],
		[prolog => trouble(qr/sizes +(\d+) /)]]],
	map({
		my ($name, $said) = @$_;

		["left out, $name" => [
			[json => total_json($name)],
			['-s' => summed($name)],
			['-i' => sub { info($said)->() // 0 }],
			[prolog => trouble(qr/$name +(\d+) /)]]]
	} [untyped => 'blocks not typed'], [unmarked => 'marks not kept'],
		[unnamed => 'libraries not named']),
	["the monitor's memory" => [
		[prolog => prolog(qr/monitor +(\d+) bytes/)],
		['-i' => info("monitor's bytes")],
		[json => total_json('monitor')]]],
	['call paths' => [
		[json => sub { scalar @{json()->{sites}} }],
		[csv => sub {
			return undef unless exported('csv');
			return (() = exported('csv') =~ /\n/g) - 1;
		}]]],
	# A page that is made alone has the lines of calls.
	['call paths, by call' => [
		[json => sub {
			scalar @{decode_json(out('--json', '--paths=offsets'))->{sites}};
		}],
		[page => sub { page()->{sites}{n} }]]],
);

# leaks KIND, BLOCKS, BYTES, DIFF: bytes of a kind.
sub leaks
{
	my ($kind, $blocks, $bytes, $diff) = @_;

	return ($kind => [
		[prolog => prolog(qr/leak check .*\b$kind (\d+) bytes/)],
		['-i' => info($bytes)],
		[leaks => found(qr/^ +(\d+) +\d+   $kind /m, '-L')],
		[json => total_json('leaks', $kind, 'bytes')],
		['json, sites' => leaks_json($kind, 'bytes')],
		['--fail-if' => fails($kind)],
		['--where' => where($kind)],
		$diff ? ['--diff' => diff($diff)] : ()]);
}

sub compare
{
	my ($name, $places) = @_;
	my ($first, $want);

	for (@$places) {
		my ($place, $how) = @$_;
		my $v = $how->();
		if (!defined $v) {
			print STDERR "$name: none in $place\n";
			next;
		}
		($first, $want) = ($place, $v) unless defined $first;
		print "$name: $want in $first, $v in $place\n"
			unless $v eq $want;
	}
}

if (@ARGV == 1 && $ARGV[0] eq 'places') {
	for (@figures) {
		printf "%-27s %s\n", $_->[0], join '; ', map { $_->[0] }
			@{$_->[1]};
	}
	exit;
}
die "usage: figures.pl MPREDUCE PROGRAM FILE DIRECTORY\n" unless @ARGV == 4;
($mpreduce, $program, $file, $dir) = @ARGV;
compare(@$_) for @figures;
