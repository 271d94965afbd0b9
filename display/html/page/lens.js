// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a picture that is in sight: `from' and `to' are between 0 and 1.  The
// keys + and -, or Ctrl and the wheel, change its width; Shift and the wheel move it.

// least: the smallest width.
function makeLens(least) {
	const lens = { from: 0, to: 1 };
	const set = (from, wide) => {
		lens.from = Math.max(0, Math.min(1 - wide, from));
		lens.to = lens.from + wide;
	};

	return Object.assign(lens, {
		all: () => set(0, 1),
		whole: () => lens.to - lens.from >= 1,
		// From a place in the picture to a place in sight, and back.
		at: (x) => (x - lens.from) / (lens.to - lens.from),
		back: (x) => lens.from + x * (lens.to - lens.from),
		// x: the place in sight that doesn't move.
		zoom(x, by) {
			const at = lens.back(x), wide = Math.min(1, Math.max(least,
				(lens.to - lens.from) * by));

			set(at - x * wide, wide);
		},
		pan: (by) => set(lens.from + by * (lens.to - lens.from),
			lens.to - lens.from),
		// Move so that the part from a to b is in sight.
		see(a, b) {
			const wide = lens.to - lens.from;

			if (a < lens.from)
				set(a, wide);
			else if (b > lens.to)
				set(b - wide, wide);
		},
	});
}

// Handle a wheel event.  what: [lens, place of the mouse] for the horizontal lens
// and, optionally, for the vertical one.
function onWheel(e, what, draw) {
	const step = e.deltaMode ? 30 : 1, along = e.shiftKey && !e.deltaX
		? e.deltaY : e.deltaX;
	const [first] = what[0];

	if (e.ctrlKey)
		what.forEach(([lens, x]) => lens.zoom(x, Math.exp(e.deltaY * step *
			0.002)));
	else if (along && !first.whole())
		first.pan(along * step / 800);
	else if (e.deltaY && what[1] && !first.whole())
		what[1][0].pan(e.deltaY * step / 800);
	else
		return;
	e.preventDefault();
	draw();
}

// Handle the keys + and -; false for other keys.  what: as in onWheel().
function lensKey(e, what) {
	const by = { '+': 0.7, '=': 0.7, '-': 1 / 0.7 }[e.key];

	if (by)
		what.forEach(([lens, x]) => lens.zoom(x, by));
	return Boolean(by);
}

// A button that shows the whole picture again; null if it is in sight.
function lensButton(lens, again) {
	return lens.whole() ? null : el('button', { title: 'Esc', onclick: again },
		'zoomed ' + (1 / (lens.to - lens.from)).toFixed(1) + ' \u00d7');
}
