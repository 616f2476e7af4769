/** What a page pays for reading, checking, evaluating and printing. `node bench/expression-size.ts` */
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const ENTRY = 'expression-size-entry';
const INDEX = new URL('../packages/expression/src/index.ts', import.meta.url).pathname;

/** Bytes of these exports, bundled for browsers, minified and compressed. */
export async function measureExpressionSize(
  names: readonly string[] = ['parseEnvelope', 'check', 'evaluate', 'print'],
): Promise<{ readonly minified: number; readonly gzipped: number }> {
  const build = await rolldown({
    input: ENTRY,
    platform: 'browser',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) => (id === ENTRY ? `export { ${names.join(', ')} } from ${JSON.stringify(INDEX)};` : null),
      },
    ],
  });
  const { output } = await build.generate({ format: 'esm', minify: true });
  await build.close();
  const code = output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('');
  return { minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).byteLength };
}

if (import.meta.main) {
  const parts = [
    ['parseEnvelope'],
    ['check'],
    ['evaluate'],
    ['print'],
    ['parseEnvelope', 'check', 'evaluate', 'print'],
  ];
  for (const names of [...parts, ['compile'], ['parseText'], ['toSql'], ['build']]) {
    const { minified, gzipped } = await measureExpressionSize(names);
    console.log(names.join(' + ').padEnd(44), `${gzipped} bytes gzip, ${minified} minified`);
  }
}
