#!/usr/bin/perl
# SPDX-License-Identifier: GPL-3.0-or-later
#
# query.pl MPREDUCE PROGRAM DATA N: N random queries, each in shorthands and
# each in SQL.  Compares them with a plain calculation from the items, which are
# the rows of a query for all of them: it applies conditions on blocks before it
# adds them up, and conditions on sums after that.  For query-random.t; prints
# the differences, and how many queries had rows.
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
	'--columns=' . join(',', @sums, 'kept'));
my %texts;
for my $x (@items) {
	$texts{$_}{$x->{$_}} = 1 for qw(type thread function file module);
}

# A condition in three forms: as text, as SQL, and as a function on a hash of
# values.
sub number
{
	my @names = @_;
	my $name = $names[rand @names];
	my $n = $items[rand @items]{$name};
	$n = int(rand 100) if $n eq '';
	$n *= 1 + int(rand 3) if $name ne 'size';
	my @ops = (['<', sub { $_[0] < $n }], ['<=', sub { $_[0] <= $n }],
		['>', sub { $_[0] > $n }], ['>=', sub { $_[0] >= $n }],
		['==', sub { $_[0] == $n }], ['!=', sub { $_[0] != $n }]);
	my ($op, $is) = @{$ops[rand @ops]};
	return ("$name $op $n", "coalesce($name $op $n, 0)", sub {
		my $v = $_[0]{$name};
		return $v ne '' && $is->($v);
	});
}

sub text
{
	my @names = @_;
	my $name = $names[rand @names];
	my @all = sort grep { $_ ne '' && !/'/ } keys %{$texts{$name}};
	return ('1 == 1', '1 = 1', sub { 1 }) if !@all;
	my $t = $all[rand @all];
	my $part = substr($t, int(rand(length($t) + 1)), 4);
	my $quoted = $part =~ s/([^A-Za-z0-9_])/[$1]/gr;
	my $not = rand() < 0.3;
	# A file is also named by its last part; the first thread also main.
	if ($name =~ /file|thread/ || $part =~ /['\\\]^]/ || rand() < 0.5) {
		my $sql = $not ? "$name != '$t'" : "$name = '$t'";
		return ("$name " . ($not ? '!=' : '==') . " '$t'",
			"coalesce($sql, 0)", sub {
			my $v = $_[0]{$name};
			return 0 if $v eq '';
			my $is = $v eq $t || ($name eq 'file' && $v =~ m{(?:^|/)\Q$t\E$});
			return $not ? !$is : $is;
		});
	}
	my $sql = $not ? "$name NOT REGEXP '$quoted'" : "$name REGEXP '$quoted'";
	return ("$name " . ($not ? '!~' : '~') . " '$quoted'",
		"coalesce($sql, 0)", sub {
		my $v = $_[0]{$name};
		return 0 if $v eq '';
		my $is = index($v, $part) >= 0;
		return $not ? !$is : $is;
	});
}

# A random condition about these numbers and texts.
sub condition
{
	my ($depth, $numbers, $texts) = @_;
	my $r = rand;
	if (!$depth || $r < 0.3) {
		return number(@$numbers) if !@$texts || (@$numbers && rand() < 0.5);
		return text(@$texts);
	}
	my ($a, $as, $x) = condition($depth - 1, $numbers, $texts);
	return ("!($a)", "NOT ($as)", sub { !$x->(@_) }) if $r < 0.4;
	my ($b, $bs, $y) = condition($depth - 1, $numbers, $texts);
	return ("($a) && ($b)", "($as) AND ($bs)", sub { $x->(@_) && $y->(@_) })
		if $r < 0.7;
	return ("($a) || ($b)", "($as) OR ($bs)", sub { $x->(@_) || $y->(@_) });
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
my @of_block = qw(type thread function file module);
my ($bad, $some, $all) = (0, 0, 0);
for my $try (1 .. $tries) {
	my ($where, $sql, $is) = rand() < 0.8
		? condition(int(rand 4), ['size'], \@of_block)
		: ('1 == 1', '1', sub { 1 });
	my %by = map { $_ => 1 } map { $of_item[rand @of_item] } 0 .. rand 3;
	my @by = sort keys %by;
	# A text that is the same in all of a row may appear beside its sums.
	my ($sums, $having, $hold) = rand() < 0.6
		? condition(int(rand 3), [@sums, 'kept'],
			[grep { $by{$_} } @of_block])
		: ('bytes >= 0', '1', sub { 1 });
	my (%group, @want);
	for my $x (grep { $is->($_) } @items) {
		my $key = join("\0", map { $x->{$_} } @by);
		$group{$key}{$_} = $x->{$_} for @by;
		$group{$key}{$_} += $x->{$_} for @sums, 'kept';
	}
	@want = grep { $hold->($_) } values %group;
	my @more = ("--where=($where) && ($sums)");
	my @got = query(@more, '--group-by=' . join(',', @by),
		'--columns=' . join(',', @sums, 'kept'));
	my $names = join(', ', @by);
	my $ids = join(', ', map {
		/^(site|thread|function|size)$/ ? "$_, ${_}_id" : $_ } @by);
	my $select = "SELECT * FROM (SELECT $names, " . join(', ',
		map { "sum($_) AS $_" } @sums, 'kept') . " FROM items " .
		"WHERE $sql GROUP BY $ids) WHERE $having";
	my @answer = query("--sql=$select");
	$some++ if @want;
	$all++ if @want && @items == grep { $is->($_) } @items;
	next if listed(\@by, @got) eq listed(\@by, @want) &&
		listed(\@by, @answer) eq listed(\@by, @want);
	$bad++;
	print "# @more --group-by=@by\n# --sql=$select\n# got\n",
		listed(\@by, @got), "\n# SQL\n", listed(\@by, @answer),
		"\n# want\n", listed(\@by, @want), "\n"
		if $bad < 3;
}
print "bad $bad some $some all $all items ", scalar(@items), "\n";
