// SPDX-License-Identifier: GPL-3.0-or-later
// Standard errors of estimates, if the run was sampled.
//
// The variances of the metric `bytes' are the values of the metric `e_bytes'.
// They are summed up like figures.

const ERRED = ['peak', 'kept', 'bytes', 'allocs'];

// Does the metric have known errors?
function erred(id) {
	return D.sampled > 0 && ERRED.includes(id) && !partial();
}

// Variances of a table's rows, by metric.  The table has errors in thousandths.
function variances(table, n) {
	const out = {};

	for (const id of ERRED)
		out[id] = column(table, 'e_' + id, n)
			.map((e) => e * e / 1e6);
	return out;
}

// Like printf: if two decimals are equally near, take the even one.
function decimal(x, digits) {
	const down = Math.floor(x * 10 ** digits);

	return x * 2 ** (digits + 1) % 2 === 1 && down % 2 === 0
		? (down / 10 ** digits).toFixed(digits) : x.toFixed(digits);
}

// The error in percent of the figure, as in the tables; '' if there is no
// figure or the error is unknown.
function errorText(figure, variance) {
	if (!figure || variance === undefined)
		return '';
	const part = Math.sqrt(variance) / figure * 100;

	return '+-' + (part < 9.95 ? decimal(part, 1)
		: decimal(Math.min(part, 999), 0)) + '%';
}

// The error after a figure: ' (+-4.3%)', or ''.
function errorNote(id, figure, variance) {
	const t = erred(id) ? errorText(figure, variance) : '';

	return t && ' (' + t + ')';
}

// The column of a metric, and the column of its errors, if known.  errors()
// gives the variance of a row.
function erringColumns(id, value, errors, extra) {
	const c = metricColumn(id, value, extra);
	const variance = erred(id) && errors();

	return variance ? [c, { id: 'e_' + c.id, title: '+-',
		hint: 'standard error of ' + c.hint + ', in percent of it',
		value: (i) => (value(i) ? Math.sqrt(variance(i)) / value(i)
			: -1),
		text: (i) => errorText(value(i), variance(i)) }] : [c];
}

// "64K"
function rateText() {
	const n = D.sampled;

	return n % 1048576 === 0 ? n / 1048576 + 'M' : n % 1024 === 0
		? n / 1024 + 'K' : count(n);
}

function sampledText() {
	return 'Sampled, every ' + rateText() + ' bytes on average, ' +
		plural(D.sampled_blocks, 'block') + ' recorded: figures are ' +
		'estimates' + (spanned() ? '; the standard errors of a ' +
		'span are not known.' : ', +- one standard error.');
}
