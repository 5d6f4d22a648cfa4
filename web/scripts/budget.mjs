// Fails where what the terminal loads at first is larger than a floor's network should have to carry.
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const LIMIT = 150_000;
const root = process.argv[2] ?? '../src/croupier/server/static';
const page = process.argv[3] ?? 'terminal.html';

if (!existsSync(join(root, page))) {
  console.error(`budget: ${page} is not in ${root}; build the screens first.`);
  process.exit(2);
}
const html = readFileSync(join(root, page), 'utf8');
const foreign = [...html.matchAll(/(?:src|href)="(https?:|\/\/)[^"]*"/g)];
const linked = [...html.matchAll(/(?:src|href)="([^":]+)"/g)].map(([, path]) => normalize(path));
const loaded = new Set([page]);
for (const path of linked) follow(path);
const bytes = [...loaded].reduce((sum, path) => sum + gzipSync(readFileSync(join(root, path)), { level: 9 }).length, 0);

console.log(`budget: ${page} loads ${loaded.size} files, ${(bytes / 1000).toFixed(1)} kB compressed, of ${LIMIT / 1000} kB`);
if (foreign.length) console.error(`budget: ${page} asks another server: ${foreign.map(([text]) => text).join(', ')}`);
if (bytes > LIMIT) console.error(`budget: that is ${((bytes - LIMIT) / 1000).toFixed(1)} kB too much`);
process.exit(bytes > LIMIT || foreign.length ? 1 : 0);

/** A file and what it imports at once; what it only imports when asked is not part of the first load. */
function follow(path) {
  if (loaded.has(path) || !existsSync(join(root, path))) return;
  loaded.add(path);
  if (!path.endsWith('.js')) return;
  const code = readFileSync(join(root, path), 'utf8');
  for (const [, from] of code.matchAll(/(?:import|from)\s*["'](\.{1,2}\/[^"']+)["']/g)) follow(normalize(join(path, '..', from)));
}
