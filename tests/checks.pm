# SPDX-License-Identifier: GPL-3.0-or-later
#
# Checks of the pages in $dir: the browser that $ARGV[0] names is $web, ok() and
# is() print a line "1 what" or "0 what", and view() opens a view of a page.
package checks;
use strict;
use warnings;
use cdp;
use Exporter 'import';

our @EXPORT = qw($dir $web ok is view);
our $dir = $ENV{T} or die "no \$T\n";
our $web = cdp->new($ARGV[0], $dir);
END { $web->quit if $web }
binmode STDERR, ':utf8';
$| = 1;

sub ok($$)
{
	my ($ok, $what) = @_;
	print $ok ? 1 : 0, " $what\n";
	return $ok;
}

sub is($$$)
{
	my ($got, $want, $what) = @_;
	ok($got eq $want, $what) or
		print STDERR "$what:\n got: $got\nwant: $want\n";
}

# view PAGE, VIEW, WIDTH: 1400 pixels, if there is no width.
sub view
{
	my ($page, $hash, $wide) = @_;
	$web->open("file://$dir/$page.html#$hash", $wide || 1400, 900);
}

1;
