// SPDX-License-Identifier: GPL-3.0-or-later
// For html.t, behind the page's scripts: node FILE PAGE prints the flame graph,
// with the first cycle open, too; that of callers; and the names of paths.

function lines(tree, n, depth, out) {
	out.push('  '.repeat(depth) + (n ? tree.label(n) : 'all') + ' ' +
		tree.value(n));
	for (const k of tree.kids(n))
		if (tree.value(k))
			lines(tree, k, depth + 1, out);
	return out;
}

function printTree(tree) {
	console.log(lines(tree, 0, 0, []).join('\n'));
}

const page = require('fs').readFileSync(process.argv[2], 'utf8');
globalThis.document = { getElementById: () => ({ textContent:
	/<script [^>]*id="data">([^]*?)<\/script>/.exec(page)[1] }) };
loadTime = loadLog = loadGraph = () => null;
load();
S = defaults();
S.metric = 'bytes';
printTree(downTree('bytes'));
const first = nodeKey(elementNodes(), Math.max(0, elementNodes().mark
	.indexOf(MARKS.indexOf('c'))));
S.open = first ? toggled(S.open, first) : '';
if (first)
	printTree(downTree('bytes'));
S.open = first ? toggled(S.open, first) : '';
printTree(upTree('bytes'));
for (let i = 0; i < M.sites.n; i++)
	console.log(siteName(i) + ' ' + M.sites.bytes[i]);
