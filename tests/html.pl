# SPDX-License-Identifier: GPL-3.0-or-later
#
#	perl html.pl CHROMIUM NAME[:WITH]...
#
# Runs html_page.pl for NAME.html and NAME.json of each name, in one browser.
# WITH lists the page's extra parts, separated by commas: old, log, times (as of
# timepage), handlers and rules (the page shows that program), sampled, shots
# (takes pictures).
use strict;
use warnings;
use File::Basename;
use lib dirname(__FILE__);
use cdp;

our ($web, $name, %with);
my ($chromium, @pages) = @ARGV;
$web = cdp->new($chromium, $ENV{T} || die "no \$T\n");
END { $web->quit if $web }
binmode STDERR, ':utf8';
$| = 1;
for (@pages) {
	my $with;
	($name, $with) = split /:/;
	%with = map { $_ => 1 } split /,/, $with || '';
	do(dirname(__FILE__) . '/html_page.pl') or die $@ || $!;
}
