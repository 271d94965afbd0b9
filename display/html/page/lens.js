// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a picture that is in sight: `from' and `to' are between 0 and 1.
// The keys + and -, or Ctrl and the wheel, change its width; the mouse drags it;
// Shift and the wheel move it.  The state contains it: a link shows the same
// part.

const LENSES = ['glens', 'hlens', 'tlens', 'xlens', 'ylens']; // in the state
const LENS_UNIT = 1e7; // the state has from and to as whole numbers of 1 / 1e7

// least: the smallest width.  name: of the state's member; none: always all.
function makeLens(least, name) {
	const lens = { from: 0, to: 1 };
	const set = (from, wide) => {
		lens.from = Math.max(0, Math.min(1 - wide, from));
		lens.to = lens.from + wide;
	};
	const change = (from, wide) => {
		set(from, wide);
		S[name] = lens.whole() ? '' : [lens.from, lens.to].map((x) =>
			Math.round(x * LENS_UNIT)).join('.');
		saveLater();
	};

	return Object.assign(lens, {
		all: () => change(0, 1),
		whole: () => lens.to - lens.from >= 1,
		// Take the part from the state.
		read() {
			const v = S[name].split('.').map((n) => n / LENS_UNIT);
			const wide = v[1] - v[0];

			set(...wide >= least && wide < 1 ? [v[0], wide] : [0, 1]);
		},
		// From a place in the picture to a place in sight, and back.
		at: (x) => (x - lens.from) / (lens.to - lens.from),
		back: (x) => lens.from + x * (lens.to - lens.from),
		// x: the place in sight that doesn't move.
		zoom(x, by) {
			const at = lens.back(x), wide = Math.min(1, Math.max(least,
				(lens.to - lens.from) * by));

			change(at - x * wide, wide);
		},
		pan: (by) => change(lens.from + by * (lens.to - lens.from),
			lens.to - lens.from),
		// Move so that the part from a to b is in sight.
		see(a, b) {
			const wide = lens.to - lens.from;

			if (a < lens.from)
				change(a, wide);
			else if (b > lens.to)
				change(b - wide, wide);
		},
	});
}

// Write the state into the address when nothing has changed it for a while:
// browsers refuse to do it often.
function saveLater() {
	clearTimeout(saveLater.timer);
	saveLater.timer = setTimeout(() => history.replaceState(null, '',
		stateText()), 200);
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

const DRAG = 4; // pixels that the mouse moves in a click, at most

// Drag a picture to move along in it.  may(e): can a drag begin here?  move(x,
// y) is called when the mouse has moved by x and y pixels.  Returns a function:
// has a drag just ended, so that a click is none?
function onDrag(box, may, move) {
	let at = null, moved = false;

	box.addEventListener('pointerdown', (e) => {
		moved = false;
		at = e.button === 0 && may(e) ? [e.clientX, e.clientY] : null;
	});
	box.addEventListener('pointermove', (e) => {
		const x = at ? e.clientX - at[0] : 0, y = at ? e.clientY - at[1] : 0;

		if (!at || !moved && Math.hypot(x, y) < DRAG)
			return;
		if (!moved)
			box.setPointerCapture(e.pointerId);
		moved = true;
		box.classList.add('dragged');
		at = [e.clientX, e.clientY];
		move(x, y);
	});
	for (const end of ['pointerup', 'pointercancel'])
		box.addEventListener(end, () => {
			at = null;
			box.classList.remove('dragged');
		});
	return () => moved;
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
