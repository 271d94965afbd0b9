# SPDX-License-Identifier: GPL-3.0-or-later
#
# Chromium without a window, driven over a pipe by its DevTools protocol: JSON
# with a NUL after each message.
#
#	my $b = cdp->new($chromium, $directory);	its profile goes there
#	$b->open($url, $width, $height);
#	$b->run($expression)	its value; dies when it throws
#	$b->until($expression)	waits for it to become true
#	$b->key($name), $b->text($text), $b->click($x, $y), $b->drag(...)
#	$b->shot($file)		a picture, as PNG
#	$b->errors		the errors on the page so far
#	$b->quit
package cdp;
use strict;
use warnings;
use JSON::PP;
use MIME::Base64;
use POSIX ();

my $json = JSON::PP->new->utf8;
my $hang = $ENV{HANG} || 250;	# seconds, as of tap.sh

sub new
{
	my ($class, $program, $dir) = @_;
	pipe(my $in, my $to) && pipe(my $from, my $out) or die "pipe: $!";
	my $pid = fork;
	die "fork: $!" unless defined $pid;
	if (!$pid) {
		# Out of the way of 3 and 4 first.
		my ($r, $w) = map { POSIX::dup2(fileno($_->[0]), $_->[1]) }
			[$in, 63], [$out, 64];
		POSIX::dup2($r, 3);
		POSIX::dup2($w, 4);
		POSIX::close($_) for 63, 64;
		open STDIN, '<', '/dev/null';
		open STDOUT, '>', "$dir/browser.log";
		open STDERR, '>&', \*STDOUT;
		$ENV{HOME} = $dir;
		no warnings 'exec';
		exec { $program } $program, '--headless=new', '--no-sandbox',
			'--disable-gpu', '--disable-dev-shm-usage',
			'--no-first-run', '--disable-extensions',
			'--disable-background-networking',
			'--disable-component-update', '--hide-scrollbars',
			"--user-data-dir=$dir/profile",
			'--remote-debugging-pipe', 'about:blank';
		POSIX::_exit(127);
	}
	close $in;
	close $out;
	$to->autoflush(1);
	my $self = bless { pid => $pid, to => $to, from => $from, id => 0,
		got => '', errors => [], requests => [], events => {} }, $class;
	my $target = $self->call('Target.createTarget',
		url => 'about:blank')->{targetId};
	$self->{session} = $self->call('Target.attachToTarget',
		targetId => $target, flatten => JSON::PP::true)->{sessionId};
	$self->call("$_.enable") for qw(Runtime Log Page Network);
	return $self;
}

sub take
{
	my ($self, $m) = @_;
	my $method = $m->{method} || '';
	my $p = $m->{params} || {};
	$self->{events}{$method}++;
	if ($method eq 'Runtime.exceptionThrown') {
		my $d = $p->{exceptionDetails};
		push @{$self->{errors}},
			$d->{exception}{description} || $d->{text};
	} elsif ($method eq 'Log.entryAdded') {
		push @{$self->{errors}}, "$p->{entry}{level}: $p->{entry}{text}";
	} elsif ($method eq 'Runtime.consoleAPICalled') {
		push @{$self->{errors}}, "console.$p->{type}: " .
			join ' ', map { $_->{value} // $_->{description} // '' }
			@{$p->{args}};
	} elsif ($method eq 'Network.requestWillBeSent') {
		push @{$self->{requests}}, $p->{request}{url};
	}
}

# The next message; dies if none comes within $hang seconds.
sub receive
{
	my $self = shift;
	my $end;
	while (($end = index $self->{got}, "\0") < 0) {
		my $bits = '';
		vec($bits, fileno $self->{from}, 1) = 1;
		select($bits, undef, undef, $hang) or die "no answer\n";
		sysread $self->{from}, $self->{got}, 1 << 20,
			length $self->{got} or die "the browser is gone\n";
	}
	my $m = substr $self->{got}, 0, $end + 1, '';
	chop $m;
	# A picture: JSON::PP takes half a second for it.
	return { id => $1, result => { data => $2 } }
		if $m =~ m!^\{"id":(\d+),"result":\{"data":"([\w+/=]+)"\}!;
	return $json->decode($m);
}

sub call
{
	my ($self, $method, %params) = @_;
	my $id = ++$self->{id};
	my %m = (id => $id, method => $method, params => \%params);
	$m{sessionId} = $self->{session} if $self->{session};
	print {$self->{to}} $json->encode(\%m), "\0";
	while (1) {
		my $m = $self->receive;
		if (!defined $m->{id}) {
			$self->take($m);
		} elsif ($m->{id} == $id) {
			die "$method: $m->{error}{message}\n" if $m->{error};
			return $m->{result};
		}
	}
}

sub open
{
	my ($self, $url, $width, $height) = @_;
	$self->call('Emulation.setDeviceMetricsOverride', width => $width,
		height => $height, deviceScaleFactor => 1,
		mobile => JSON::PP::false);
	# Load a new document, not only another place of the same page.
	$self->call('Page.navigate', url => 'about:blank');
	$self->call('Page.navigate', url => $url);
	$self->until("location.href !== 'about:blank' && " .
		"document.readyState === 'complete'") or die "$url: no page\n";
}

sub run
{
	my ($self, $expression) = @_;
	my $r = $self->call('Runtime.evaluate', expression => $expression,
		returnByValue => JSON::PP::true, awaitPromise => JSON::PP::true);
	die "$expression: " . ($r->{exceptionDetails}{exception}{description} ||
		$r->{exceptionDetails}{text}) . "\n" if $r->{exceptionDetails};
	return $r->{result}{value};
}

sub until
{
	my ($self, $expression) = @_;
	for (1 .. 100 * $hang) {
		return 1 if $self->run("Boolean($expression)");
		select undef, undef, undef, 0.01;
	}
	return 0;
}

sub key
{
	my ($self, $key, %more) = @_;
	$key = "$key";
	my %text = length $key == 1 ? (text => $key)
		: $key eq 'Enter' ? (text => "\r") : ();
	$self->call('Input.dispatchKeyEvent', type => 'keyDown', key => $key,
		%text, %more);
	$self->call('Input.dispatchKeyEvent', type => 'keyUp', key => $key,
		%more);
}

sub text
{
	my ($self, $text) = @_;
	$self->call('Input.insertText', text => $text);
}

sub mouse
{
	my ($self, $type, $x, $y) = @_;
	$self->call('Input.dispatchMouseEvent', type => $type, x => $x,
		y => $y, $type eq 'mouseMoved' ? (buttons => 1)
		: (button => 'left', clickCount => 1));
}

sub click
{
	my ($self, $x, $y) = @_;
	$self->call('Input.dispatchMouseEvent', type => 'mouseMoved', x => $x,
		y => $y);
	$self->mouse($_, $x, $y) for 'mousePressed', 'mouseReleased';
}

sub drag
{
	my ($self, $x, $y, $to_x, $to_y) = @_;
	$self->mouse('mousePressed', $x, $y);
	$self->mouse('mouseMoved', ($x + $to_x) / 2, $to_y);
	$self->mouse('mouseMoved', $to_x, $to_y);
	$self->mouse('mouseReleased', $to_x, $to_y);
}

sub shot
{
	my ($self, $file) = @_;
	my $r = $self->call('Page.captureScreenshot', format => 'png');
	CORE::open my $f, '>:raw', $file or die "$file: $!\n";
	print $f decode_base64($r->{data});
	close $f;
	return -s $file;
}

sub errors { @{$_[0]{errors}} }

sub quit
{
	my $self = shift;
	local $?;
	eval {
		local $SIG{PIPE} = 'IGNORE';
		delete $self->{session};
		$self->call('Browser.close');
	};
	for (1 .. 100) {
		return if waitpid($self->{pid}, POSIX::WNOHANG()) != 0;
		select undef, undef, undef, 0.05;
	}
	kill 'KILL', $self->{pid};
	waitpid $self->{pid}, 0;
}

1;
