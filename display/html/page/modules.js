// SPDX-License-Identifier: GPL-3.0-or-later
// Results of profiling modules: tables that describe their own fields.

function viewModules() {
	const box = el('section', { class: 'pane wide' });
	let made = '';

	return { id: 'modules', name: 'Modules', whole: true, box: box,
		metrics: [],
		update() {
			if (made === String(S.human))
				return;
			made = String(S.human);
			fill(box, ...D.modules.map(schemaTable));
		} };
}
