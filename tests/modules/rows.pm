# SPDX-License-Identifier: GPL-3.0-or-later
# Results of modules, as modules write them.
package rows;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = ('rows');

# rows FILE FUNCTION: each row's table and fields; places have their texts.
sub rows
{
	my ($file, $each) = @_;
	my (%place, @rows, $table, %type);

	open my $f, '<', $file or die "$file: $!\n";
	while (<$f>) {
		chomp;
		my @x = split /\t/, $_, -1;
		my $tag = shift @x;
		if ($tag eq 'table') {
			$table = $x[0];
			$type{$table} = [];
		} elsif ($tag eq 'column') {
			push @{$type{$table}}, $x[1];
		} elsif ($tag eq 'row') {
			push @rows, [$table, @x];
		} elsif ($tag eq 'place') {
			$place{$x[0]} = join ":", @x[1 .. 5], $x[7];
		} elsif ($tag eq 'code') {
			$place{$x[0]} = "code:$x[1]";
		} elsif ($tag eq 'failed') {
			print "$file: $x[0]\n";
		}
	}
	for my $r (@rows) {
		my ($table, @x) = @$r;
		for my $i (0 .. $#x) {
			$x[$i] = $place{$x[$i]} // $x[$i]
				if $type{$table}[$i] eq 'place';
		}
		$each->($table, @x);
	}
}

1;
