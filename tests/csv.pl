# SPDX-License-Identifier: GPL-3.0-or-later
# csv.pl JSON CSV: does the CSV, as --export=csv:all prints it, contain the same
# data as the JSON?  Prints the differences, and at the end how many tables,
# rows and cells it compared.
use strict;
use warnings;
use JSON::PP;

my ($jsonfile, $csvfile) = @ARGV;
local $/;
open my $f, '<:raw', $jsonfile or die "$jsonfile: $!";
my $json = JSON::PP->new->utf8->decode(<$f>);
open $f, '<:raw', $csvfile or die "$csvfile: $!";
my $csv = <$f>;
utf8::decode($csv);
my $coder = JSON::PP->new->canonical->allow_nonref;
my $wrong = 0;

sub wrong { print "@_\n" if $wrong++ < 10 }

# Records of cells; a record of one empty cell parts tables.
my (@records, @record);
while (length $csv) {
	my $cell;
	if ($csv =~ s/^"((?:[^"]|"")*)"(,|\r\n)//s) {
		($cell = $1) =~ s/""/"/g;
	} elsif ($csv =~ s/^([^",\r\n]*)(,|\r\n)//s) {
		$cell = $1;
	} else {
		die "no cell: " . substr($csv, 0, 60);
	}
	my $end = $2;
	push @record, $cell;
	next if $end eq ',';
	push @records, [@record];
	@record = ();
}
push @records, [''];
my %table;
while (@records) {
	my $name = shift(@records)->[0];
	my @rows;
	while (@records) {
		my $r = shift @records;
		last if @$r == 1 && $r->[0] eq '';
		push @rows, $r;
	}
	$table{$name} = \@rows;
}

# The cells that an object must produce.
my @class = qw(s m l x);
my $functions = $json->{functions};
sub name { $functions->[$_[0]]{name} }

sub flat {
	my ($to, $prefix, $o, $table) = @_;
	for my $k (keys %$o) {
		my ($v, $n) = ($o->{$k}, "$prefix$k");
		if ($k eq 'chain' && $table eq 'sites') {
			my @names = map { name($_) } @$v;
			$to->{path} = join ' > ', @names;
		} elsif (($k eq 'inlined' || $k eq 'sites') &&
			 $table eq 'sites') {
			next;	# of the chain
		} elsif ($table eq 'arcs' && $k =~ /^call[er]e?[er]$/) {
			$to->{$n} = name($v);
		} elsif ($table eq 'cycles' && $k eq 'members') {
			$to->{$n} = $coder->encode([map { name($_) } @$v]);
		} elsif ($table eq 'cycles' && $k =~ /^calle/) {
			next;	# callers, callees: by name
		} elsif (ref $v eq 'HASH') {
			flat($to, "$n.", $v, $table);
		} elsif (ref $v eq 'ARRAY' && @$v == 4 &&
			 $k =~ /^(allocs|bytes|frees|freed|kept)$/) {
			my $sum = 0;
			$sum += $_ for @$v;
			$to->{$n} = $sum;
			$to->{"$n.$class[$_]"} = $v->[$_] for 0 .. 3;
		} elsif (ref $v eq 'ARRAY') {
			$to->{$n} = $coder->encode($v);
		} elsif (JSON::PP::is_bool($v)) {
			$to->{$n} = $v ? 'true' : 'false';
		} else {
			$to->{$n} = $v // '';
		}
	}
}

my ($tables, $rows, $cells) = (0, 0, 0);
for my $t (sort keys %$json) {
	my $v = $json->{$t};
	next unless ref $v;
	my @want = ref $v eq 'HASH' ? ($v) : @$v;
	my $has = delete $table{$t};
	next if !@want && (!$has || !@$has || @$has == 1);
	unless ($has) { wrong("$t: no such table"); next }
	$tables++;
	my @column = @{shift @$has};
	wrong("$t: " . @$has . " rows, not " . @want) if @$has != @want;
	for my $i (0 .. $#want) {
		my %want;
		if (ref $want[$i]) { flat(\%want, '', $want[$i], $t) }
		else { $want{value} = $want[$i] }
		my %got;
		@got{@column} = @{$has->[$i] // []};
		$rows++;
		for my $k (keys %want) {
			my $got = delete $got{$k} // '';
			if ($got =~ /^[\[{]/) {
				my $value = eval { $coder->decode($got) };
				$got = $coder->encode($value) if defined $value;
			}
			$cells++;
			next if $got eq $want{$k};
			wrong("$t, row $i, $k: '$got', not '$want{$k}'");
		}
		for my $k (keys %got) {
			next if $t eq 'cycles' && $k =~ /^call/;
			wrong("$t, row $i, $k: '$got{$k}' is too much")
				if ($got{$k} // '') ne '';
		}
	}
}
wrong("$_: a table that the JSON doesn't have") for keys %table;
print $wrong ? "$wrong differences\n" : "same\n";
print STDERR "$tables tables, $rows rows, $cells cells\n";
