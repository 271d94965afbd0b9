#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# query.pl MPREDUCE PROGRAM DATA N: N random queries, each compared with what a
# plain reckoning makes of the items, which are the rows of a query for all of
# them.  For query-random.t; prints what differs, and how many queries had rows.
use strict;
use warnings;

my ($mpreduce, $program, $data, $tries) = @ARGV;
my @of_item = qw(site type thread size function file module);
my @sums = qw(allocs bytes frees freed);

# The fields of a line of CSV.
sub fields
{
	my ($line) = @_;
	my @f;
	while ($line =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/g) {
		my $f = defined $1 ? $1 =~ s/""/"/gr : $2;
		push @f, $f;
		last if $3 eq '';
	}
	return @f;
}

# Rows as hashes; a column that isn't known is "".
sub query
{
	my @args = @_;
	open(my $in, '-|', $mpreduce, '--export=csv', @args, $program, $data)
		or die "$mpreduce: $!";
	my @lines = map { s/\r?\n$//r } <$in>;
	close($in) or die "@args: status $?";
	my @names = fields(shift @lines);
	return map { my %r; @r{@names} = fields($_); \%r } @lines;
}

my @items = query('--group-by=site,type,thread,size,function,file,module',
	'--columns=' . join(',', @sums));
my %texts;
for my $x (@items) {
	$x->{kept} = $x->{bytes} - $x->{freed};
	$texts{$_}{$x->{$_}} = 1 for qw(type thread function file module);
}

# A condition: as text, and as what it says of an item.
sub number
{
	my $name = (@sums, 'kept', 'size')[rand 6];
	my $n = $items[rand @items]{$name};
	$n = int(rand 100) if $n eq '';
	my @ops = (['<', sub { $_[0] < $n }], ['<=', sub { $_[0] <= $n }],
		['>', sub { $_[0] > $n }], ['>=', sub { $_[0] >= $n }],
		['==', sub { $_[0] == $n }], ['!=', sub { $_[0] != $n }]);
	my ($op, $is) = @{$ops[rand @ops]};
	return ("$name $op $n", sub {
		my $v = $_[0]{$name};
		return $v ne '' && $is->($v);
	});
}

sub text
{
	my $name = (qw(type thread function file module))[rand 5];
	my @all = sort keys %{$texts{$name}};
	my $t = $all[rand @all];
	my $part = substr($t, int(rand(length($t) + 1)), 4);
	my $quoted = $part =~ s/([^A-Za-z0-9_])/[$1]/gr;
	my $not = rand() < 0.3;
	# A file is also named by its last part; the first thread also main.
	if ($name =~ /file|thread/ || $t =~ /'/ || $part =~ /['\\\]^]/ || rand() < 0.5) {
		return text() if $t =~ /'/;
		return ("$name " . ($not ? '!=' : '==') . " '$t'", sub {
			my $v = $_[0]{$name};
			return 0 if $v eq '';
			my $is = $v eq $t || ($name eq 'file' && $v =~ m{(?:^|/)\Q$t\E$});
			return $not ? !$is : $is;
		});
	}
	return ("$name " . ($not ? '!~' : '~') . " '$quoted'", sub {
		my $v = $_[0]{$name};
		return 0 if $v eq '';
		my $is = index($v, $part) >= 0;
		return $not ? !$is : $is;
	});
}

sub condition
{
	my ($depth) = @_;
	my $r = rand;
	if (!$depth || $r < 0.3) {
		return rand() < 0.5 ? number() : text();
	}
	my ($a, $x) = condition($depth - 1);
	return ("!($a)", sub { !$x->(@_) }) if $r < 0.4;
	my ($b, $y) = condition($depth - 1);
	return ("($a) && ($b)", sub { $x->(@_) && $y->(@_) }) if $r < 0.7;
	return ("($a) || ($b)", sub { $x->(@_) || $y->(@_) });
}

# The rows as one text, in an order of their own.
sub listed
{
	my ($by, @rows) = @_;
	return join("\n", sort map {
		my $r = $_;
		join(' | ', map { "$_ $r->{$_}" } @$by, @sums, 'kept');
	} @rows);
}

srand(12345);
my ($bad, $some, $all) = (0, 0, 0);
for my $try (1 .. $tries) {
	my ($where, $is) = condition(int(rand 4));
	my %by = map { $_ => 1 } map { $of_item[rand @of_item] } 0 .. rand 3;
	my @by = sort keys %by;
	my (%group, @want);
	for my $x (grep { $is->($_) } @items) {
		my $key = join("\0", map { $x->{$_} } @by);
		$group{$key}{$_} = $x->{$_} for @by;
		$group{$key}{$_} += $x->{$_} for @sums, 'kept';
	}
	@want = values %group;
	my $least = rand() < 0.3 ? int(rand 200) : 0;
	@want = grep { $_->{bytes} >= $least } @want;
	my @got = query("--where=$where", "--having=bytes >= $least",
		'--group-by=' . join(',', @by),
		'--columns=' . join(',', @sums, 'kept'));
	$some++ if @want;
	$all++ if @want && @items == grep { $is->($_) } @items;
	next if listed(\@by, @got) eq listed(\@by, @want);
	$bad++;
	print "# --where=$where --group-by=@by\n# got\n",
		listed(\@by, @got), "\n# want\n", listed(\@by, @want), "\n"
		if $bad < 3;
}
print "bad $bad some $some all $all items ", scalar(@items), "\n";
