#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Compares how the blocks of a program were used by several accounts of it:
#
#	naive:FILE	the file of the naive recorder (naive.c)
#	exact:FILE	the same, by bytes and nanoseconds
#	mon:FILE	a data file of memmon, read here, not by mpreduce
#	json:FILE	the output of mpreduce --json
#
#	naive.pl same PROGRAM ACCOUNT PROGRAM ACCOUNT [timed]
#		prints the differences.  Figures of time only with `timed', and
#		to +-0.02.  Prints the number of sites on standard error.
#	naive.pl expect SOURCE PROGRAM ACCOUNT [WORD]
#		prints the differences from the lines "expect", or WORD, in the
#		comment of SOURCE (ex.h); and the number of figures that were
#		compared, on standard error.
#	naive.pl program PROGRAM ACCOUNT
#		prints the means over the sites: lifetime, usage, useful lifetime
#	naive.pl print PROGRAM ACCOUNT
#
# The names of the functions in their call paths distinguish sites, as far as
# the functions are the program's.
use strict;
use warnings;

my @counts = qw(blocks bytes reads writes span cover span-used cover-used);
my @plain = qw(unused write-only read-only growing shared low-cover);
my @timed = qw(short early late);
my @flags = qw(unused write-only read-only short early late growing shared
	low-cover);
my $slack = 0.02;
my $no_fields; # an account has none

# ------------------------------------------------------------------- names --

# symbols PROGRAM: [address, name] of its functions, by address.
sub symbols
{
	my ($program) = @_;
	my @all;

	open my $nm, '-|', 'nm', "--target=$ENV{NM_FORMAT}", '-n', '--defined-only',
		$program or die "nm: $!";
	while (<$nm>) {
		push @all, [hex $1, $2] if /^([0-9a-f]+) [tTwW] ([^.\s]+)/;
	}
	return \@all;
}

# name SYMBOLS, PC: the function that returns to PC.
sub name
{
	my ($all, $pc) = @_;
	my ($low, $high) = (0, scalar @$all);

	while ($low < $high) {
		my $mid = int(($low + $high) / 2);
		if ($all->[$mid][0] < $pc) { $low = $mid + 1 } else { $high = $mid }
	}
	return $low ? $all->[$low - 1][1] : '?';
}

# ---------------------------------------------------------------- accounts --

# site TABLE, CHAIN: the figures of the call path; makes them if they don't
# exist.
sub site
{
	my ($table, $chain) = @_;

	return $table->{sites}{$chain} //= {
		(map { $_ => 0 } @counts, qw(useful life groups group_sum)),
		flags => {map { $_ => [0, 0] } @flags}, fields => {}};
}

# add_fields SITE, SIZE, BLOCKS, COUNTS
sub add_fields
{
	my ($s, $size, $blocks, @counts) = @_;
	my $f = $s->{fields}{$size} //= [0];

	$f->[0] += $blocks;
	$f->[$_ + 1] += $counts[$_] for 0 .. $#counts;
}

sub read_naive
{
	my ($program, $file, $exact) = @_;
	my $symbols = symbols($program);
	my $table = {};

	open my $in, '<', $file or die "$file: $!";
	while (<$in>) {
		my ($what, $pcs, @rest) = split;
		next if $exact ? $what eq 'site' : $what =~ /^exact/;
		next if $pcs eq '-' || ($exact && $what eq 'groups');
		$table->{length} = $pcs if $what eq 'length';
		next if $what eq 'length';
		my $s = site($table, join '>', reverse map {
			name($symbols, hex) } split /,/, $pcs);
		if ($what eq 'fields') {
			my ($size, $blocks) = map { s/.*=//r } splice @rest, 0, 2;
			add_fields($s, $size, $blocks, map { split /,/ } @rest);
			next;
		}
		if ($what =~ /groups$/) {
			push @{$s->{list}}, map { [split /,/] } @rest;
			next;
		}
		my %v = map { split /=/ } @rest;
		$s->{$_} += $v{$_} for @counts, 'life', 'groups';
		$s->{useful} += $v{useful} * $v{blocks};
		$s->{group_sum} += $v{lifetime} * $v{groups};
		for my $f (@flags) {
			my ($n, $b) = split '/', $v{$f};
			$s->{flags}{$f}[0] += $n;
			$s->{flags}{$f}[1] += $b;
		}
	}
	return $table;
}

# A reader of variable-length numbers.
sub varints
{
	my ($bytes) = @_;
	my $at = 0;

	return sub {
		my ($v, $shift, $b) = (0, 0);
		if (@_) {
			$at += $_[0];
			return substr $bytes, $at - $_[0], $_[0];
		}
		do {
			$b = ord substr $bytes, $at++, 1;
			$v |= ($b & 127) << $shift;
			$shift += 7;
		} while ($b & 128);
		return $v;
	};
}

# gap TABLE: more than that between allocations makes groups of them, ns: a
# thousandth of the run, or the clock's longest step.
sub gap
{
	my ($table) = @_;
	my ($length, $step) = ($table->{length} / 1000, $table->{step} || 400000);

	return $length > $step ? $length : $step;
}

# merge GROUPS, TAU: by the first allocation; sets whose allocations are more
# than TAU apart stay apart.  Returns the number and the sum of their scores.
sub merge
{
	my ($groups, $tau) = @_;
	my @g = sort { $a->[0] <=> $b->[0] } @$groups;
	my ($sum, $n) = (0, 0);

	while (my $g = shift @g) {
		my ($first, $last, $end, $blocks, $life) = @$g;
		while (@g && $g[0][0] - $last <= $tau) {
			my $h = shift @g;
			$last = $h->[1] if $h->[1] > $last;
			$end = $h->[2] if $h->[2] > $end;
			$blocks += $h->[3];
			$life += $h->[4];
		}
		$n++;
		$sum += $end == $first ? 1 : $life / ($blocks * ($end - $first));
	}
	return ($n, $sum);
}

# records FILE: [tag, count, first number, payload] of each.
sub records
{
	my ($file) = @_;
	my ($head, $payload, @all);

	open my $in, '-|:raw', "$ENV{MEMMON_BUILD}/tests/rawdump", '--plain',
	    $file or die "$file: $!";
	read $in, $head, 24;
	while (read($in, $head, 24) == 24) {
		my ($tag, $count, $first, $length) = unpack 'a4 V Q< V', $head;
		read $in, $payload, $length;
		push @all, [$tag, $count, $first, $payload];
	}
	return @all;
}

# chains RECORDS, SYMBOLS: the name of each site's call path; undef if it
# doesn't start in the program.
sub chains
{
	my ($records, $symbols) = @_;
	my (%exe, @module, @pc, @parent, @chain, $node);

	for (@$records) {
		my ($tag, $count, $first, $payload) = @$_;
		my $v = varints($payload);
		for my $i ($first .. $first + $count - 1) {
			if ($tag eq 'MOD ') {
				$v->() for 1 .. 3;
				$exe{$i} = $v->() & 1;
				$v->($v->()) for 1 .. 2;
			} elsif ($tag eq 'NODE') {
				$parent[$i] = $i - $v->();
				$module[$i] = $v->();
				$pc[$i] = $v->();
			} elsif ($tag eq 'SITE') {
				my @names;
				$node = $v->();
				$v->();
				my $mask = $v->();
				for (0 .. 3) {
					next unless $mask >> $_ & 1;
					$v->() for 1 .. 4;
				}
				for (; $node && $exe{$module[$node]};
				     $node = $parent[$node]) {
					unshift @names, name($symbols, $pc[$node]);
				}
				$chain[$i] = join '>', @names if @names;
			}
		}
	}
	return @chain;
}

sub read_uses
{
	my ($table, $chain, $v) = @_;
	my $i = $v->();
	my @n = map { $v->() } 1 .. 10 + 2 * @flags;

	return unless defined $chain->[$i];
	my $s = site($table, $chain->[$i]);
	$s->{$_} += shift @n for @counts;
	$s->{useful} += shift(@n) / (1 << 24);
	$s->{life} += shift @n;
	for my $f (@flags) {
		$s->{flags}{$f}[$_] += shift @n for 0 .. 1;
	}
}

sub read_groups
{
	my ($groups, $v) = @_;
	my ($i, $form, $n) = map { $v->() } 1 .. 3;
	my ($unit, $at) = (1, 0);

	die 'final groups' if $form & 1;
	$unit = 200_000 if $form & 2;
	while ($n--) {
		my @g = map { $v->() } 1 .. 5;
		$_ *= $unit for @g[0 .. 2, 4];
		$at = $g[0] + ($form & 2 ? $at : 0);
		push @{$groups->{$i}}, [$at, $at + $g[1], $at + $g[2],
			$g[3], $g[4]];
	}
}

sub read_mon
{
	my ($program, $file) = @_;
	my @records = records($file);
	my @chain = chains(\@records, symbols($program));
	my (%groups, %run);
	my $table = {};

	for (@records) {
		my ($tag, $count, $first, $payload) = @$_;
		my $v = varints($payload);
		while ($count--) {
			if ($tag eq 'USE ') {
				read_uses($table, \@chain, $v);
			} elsif ($tag eq 'GRP ') {
				read_groups(\%groups, $v);
			} elsif ($tag eq 'FLD ') {
				my ($i, $size, $blocks, $n) = map { $v->() } 1 .. 4;
				my @n = map { $v->() } 1 .. 2 * $n;
				add_fields(site($table, $chain[$i]), $size,
					$blocks, @n) if defined $chain[$i];
			} elsif ($tag eq 'RUN ') {
				my ($key, $n) = ($v->(), $v->());
				$run{$key} = $v->($n);
			}
		}
	}
	$table->{length} = varints($run{6})->();
	$table->{step} = varints($run{17})->();
	for (grep { defined $chain[$_] } keys %groups) {
		my ($n, $sum) = merge($groups{$_}, gap($table));
		my $s = site($table, $chain[$_]);
		$s->{groups} += $n;
		$s->{group_sum} += $sum;
		push @{$s->{list}}, @{$groups{$_}};
	}
	return $table;
}

# mpreduce's names for the flags, and the flags that only mpreduce has.
my %json_flags = ((map { $_ => $_ =~ s/-/_/r } @flags), short => 'short_lived');
my @tops = qw(top-bytes top-blocks);

# json_site SITE, USE: add an object "use" of mpreduce.
sub json_site
{
	my ($s, $use) = @_;

	$s->{$_} += $use->{$_ =~ s/-/_/r} for @counts, qw(useful groups);
	$s->{life} += $use->{life_ns};
	$s->{group_sum} += $use->{group_scores};
	for my $f (@flags) {
		my $theirs = $use->{flags}{$json_flags{$f}};
		# Flags by times, for which the clock is too coarse.
		$s->{untold}{$f} = 1 unless $theirs;
		next unless $theirs;
		$s->{flags}{$f}[0] += $theirs->{blocks};
		$s->{flags}{$f}[1] += $theirs->{bytes};
	}
	for my $f (@tops) {
		my $theirs = $use->{flags}{$f =~ s/-/_/r} // next;
		$s->{flags}{$f}[0] += $theirs->{blocks};
		$s->{flags}{$f}[1] += $theirs->{bytes};
	}
}

# json_scores WHAT, USE: prints where its scores don't follow from its figures.
sub json_scores
{
	my ($what, $use) = @_;
	my $s = site({}, '');
	my %theirs = qw(lifetime lifetime usage usage useful-score useful
		cover-score cover g mean step severity);

	json_site($s, $use);
	score($s, grep { defined $use->{scores}{$theirs{$_}} }
		qw(lifetime usage useful-score));
	for (sort keys %theirs) {
		my $x = $use->{scores}{$theirs{$_}} // next;
		print "$what: $theirs{$_} is $x, by its figures $s->{$_}\n"
			if abs($x - $s->{$_}) > 1e-6;
	}
}

sub read_json
{
	my ($program, $file) = @_;
	my $own = $program =~ s{.*/}{}r;
	my $table = {};

	require JSON::PP;
	open my $in, '<', $file or die "$file: $!";
	my $p = JSON::PP::decode_json(do { local $/; <$in> });
	for my $site (grep { $_->{use} } @{$p->{sites}}) {
		my @chain = reverse map { $p->{functions}[$_] } @{$site->{chain}};
		my @names;
		while (@chain && $chain[0]{module} eq $own) {
			unshift @names, (shift @chain)->{name};
		}
		next unless @names;
		my $name = join '>', @names;
		json_scores($name, $site->{use});
		json_site(site($table, $name), $site->{use});
	}
	for (grep { $_->{use} } @{$p->{functions}}) {
		json_scores($_->{name}, $_->{use});
		$table->{functions}{$_->{name}} = $_->{use};
	}
	$table->{program} = $p->{uses};
	$no_fields = 1;
	return $table;
}

sub read_account
{
	my ($program, $account) = @_;
	my ($way, $file) = split /:/, $account, 2;

	return read_naive($program, $file) if $way eq 'naive';
	return read_naive($program, $file, 1) if $way eq 'exact';
	return read_mon($program, $file) if $way eq 'mon';
	return read_json($program, $file) if $way eq 'json';
	die "what is $account?";
}

# ------------------------------------------------------------------ scores --

# score SITE [SCORE...]: adds the scores, g and its step; g is of these scores.
sub score
{
	my ($s, @known) = @_;
	my $g = 1;

	return $s unless $s->{blocks};
	@known = qw(lifetime usage useful-score) unless @known;
	$s->{lifetime} = $s->{groups} ? $s->{group_sum} / $s->{groups} : 0;
	$s->{usage} = $s->{'span-used'} / $s->{bytes};
	$s->{'cover-score'} = $s->{'cover-used'} / $s->{bytes};
	$s->{'useful-score'} = $s->{useful} / $s->{blocks};
	for (@known) {
		$g *= $s->{$_} < 0.01 ? 0.01 : $s->{$_};
	}
	$s->{g} = $g ** (1 / @known);
	$s->{step} = 12 - int($s->{g} * 12 + 1e-9);
	$s->{step} = 1 if $s->{step} < 1;
	return $s;
}

# program TABLE: means and variances over the sites.
sub program
{
	my ($table) = @_;
	my @s = map { score($_) } grep { $_->{blocks} } values %{$table->{sites}};
	my %p;

	return {} unless @s;
	for my $what ($table->{program} ? qw(lifetime usage useful) : ()) {
		$p{$what} = $table->{program}{$what}{mean};
		$p{"$what-variance"} = $table->{program}{$what}{variance};
	}
	return \%p if $table->{program};
	for my $what (qw(lifetime usage useful)) {
		my $key = $what eq 'useful' ? 'useful-score' : $what;
		my ($log, $sum, $squares) = (0, 0, 0);
		for (map { $_->{$key} } @s) {
			$log += log($_ < 0.01 ? 0.01 : $_);
			$sum += $_;
			$squares += $_ * $_;
		}
		$p{$what} = exp($log / @s);
		$p{"$what-variance"} = $squares / @s - ($sum / @s) ** 2;
	}
	return \%p;
}

# function TABLE, NAME: sums of its own sites; its groups contain all of their
# blocks.
sub function
{
	my ($table, $name) = @_;
	my $sum = site({}, '');
	my $theirs = $table->{functions}{$name};
	my @list;

	for my $chain (keys %{$table->{sites}}) {
		next unless $chain =~ /(^|>)\Q$name\E$/;
		my $s = $table->{sites}{$chain};
		$sum->{$_} += $s->{$_} for @counts, 'useful';
		push @list, @{$s->{list} // []};
		for my $f (keys %{$s->{flags}}) {
			$sum->{flags}{$f}[$_] += $s->{flags}{$f}[$_] for 0 .. 1;
		}
	}
	@{$sum}{qw(groups group_sum)} = $theirs
		? @{$theirs}{qw(groups group_scores)}
		: merge(\@list, gap($table));
	return score($sum);
}

# -------------------------------------------------------------- comparisons --

sub near
{
	return abs($_[0] - $_[1]) <= $slack;
}

# fields_text FIELDS: blocks and counts, without those of the granules at the
# end that weren't accessed.
sub fields_text
{
	return join(' ', @{$_[0] // [0]}) =~ s/( 0)+$//r;
}

# same_site NAME, A, B, TIMED: the last is the run's length, or 0.
sub same_site
{
	my ($name, $s, $t, $timed) = @_;
	my @f = grep { !$s->{untold}{$_} && !$t->{untold}{$_} }
		$timed ? @flags : @plain;

	for (@counts, $timed ? 'groups' : ()) {
		print "$name: $_ $s->{$_} $t->{$_}\n" if $s->{$_} != $t->{$_};
	}
	for (@f) {
		my $x = join '/', @{$s->{flags}{$_}};
		my $y = join '/', @{$t->{flags}{$_}};
		print "$name: $_ $x $y\n" if $x ne $y;
	}
	my %sizes = $no_fields ? () : (%{$s->{fields}}, %{$t->{fields}});
	for (sort { $a <=> $b } keys %sizes) {
		my ($x, $y) = map { fields_text($_) }
			$s->{fields}{$_}, $t->{fields}{$_};
		print "$name: fields of $_: $x, $y\n" if $x ne $y;
	}
	return unless $timed;
	score($_) for $s, $t;
	$_->{'mean-life'} = $_->{life} / $_->{blocks} / $timed for $s, $t;
	for (qw(lifetime useful-score mean-life)) {
		print "$name: $_ $s->{$_} $t->{$_}\n"
			unless near($s->{$_}, $t->{$_});
	}
}

sub same
{
	my ($a, $b, $timed) = @_;
	my %all = (%{$a->{sites}}, %{$b->{sites}});

	for (sort keys %all) {
		same_site($_, site($a, $_), site($b, $_),
			$timed ? $a->{length} : 0);
	}
	print STDERR scalar(keys %all), "\n";
}

# expected SOURCE, WORD: [name, {key => value}] for each line.
sub expected
{
	my ($source, $word) = @_;
	my (@all, $wanted);

	open my $in, '<', $source or die "$source: $!";
	while (<$in>) {
		last if m{^ \*/};
		if (/^ \*\t(\w+) (\S+)((?: [a-z-]+=\S+)+)$/) {
			$wanted = $1 eq $word;
			push @all, [$2, {map { split /=/ } split ' ', $3}]
				if $wanted;
		} elsif ($wanted && /^ \*\t\t((?: ?[a-z-]+=\S+)+)$/) {
			my %more = map { split /=/ } split ' ', $1;
			@{$all[-1][1]}{keys %more} = values %more;
		} else {
			$wanted = 0;
		}
	}
	return @all;
}

# value SUMS, KEY: as in the lines "expect".
sub value
{
	my ($s, $key) = @_;

	return join '/', @{$s->{flags}{$key}} if $s->{flags} && $s->{flags}{$key};
	return $s->{'useful-score'} if $key eq 'useful' && $s->{flags};
	return $s->{$key};
}

sub expect
{
	my ($table, @expected) = @_;
	my $compared = 0;

	for (@expected) {
		my ($name, $want) = @$_;
		my $s = $name eq 'program' ? program($table)
			: function($table, $name);
		if ($name ne 'program') {
			$want->{$_} //= '0/0' for @plain;
		}
		for my $key (sort keys %$want) {
			my ($w, $g) = ($want->{$key}, value($s, $key) // 'none');
			next if $key =~ /^top-/ && !$table->{program};
			$compared++;
			next if $w =~ /\./ && $g =~ /^[\d.e-]+$/ ? near($w, $g)
				: $w eq $g;
			print "$name: $key is $g, should be $w\n";
		}
	}
	print STDERR "$compared\n";
}

sub print_table
{
	my ($table) = @_;

	for my $name (sort keys %{$table->{sites}}) {
		my $s = score($table->{sites}{$name});
		print "$name:", (map { " $_=$s->{$_}" } @counts, 'groups', 'life'),
			(map { sprintf ' %s=%.4f', $_, $s->{$_} // -1 }
				qw(lifetime usage useful-score)),
			(map { " $_=" . join '/', @{$s->{flags}{$_}} }
				grep { $s->{flags}{$_}[0] } @flags), "\n";
	}
}

my $what = shift // '';
if ($what eq 'same') {
	same(read_account(@ARGV[0, 1]), read_account(@ARGV[2, 3]), $ARGV[4]);
} elsif ($what eq 'expect') {
	expect(read_account(@ARGV[1, 2]), expected($ARGV[0], $ARGV[3] // 'expect'));
} elsif ($what eq 'program') {
	my $p = program(read_account(@ARGV[0, 1]));
	print join(' ', map { $p->{$_} } qw(lifetime usage useful)), "\n";
} elsif ($what eq 'print') {
	print_table(read_account(@ARGV[0, 1]));
} else {
	die "usage: naive.pl same|expect|program|print ...\n";
}
