/** What a page that reads, completes, checks and runs filters ships. `node bench/expression-size.ts` */
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const ENTRY = 'expression-size-entry';
const INDEX = new URL('../packages/expression/src/index.ts', import.meta.url).pathname;

const PAGE = ['parseText', 'check', 'compile', 'complete'];

/** Bytes of these exports, bundled for browsers, minified and compressed. */
export async function measureExpressionSize(
  names: readonly string[] = PAGE,
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
  // Comments that tell a bundler what it may leave out reach no page.
  const { output } = await build.generate({ format: 'esm', minify: true, comments: false });
  await build.close();
  const code = output.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('');
  return { minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).byteLength };
}

if (import.meta.main) {
  const withSearch = [...PAGE, 'parseSearch', 'completeSearch'];
  const parts = [...PAGE, 'evaluate', 'parseEnvelope', 'isEnvelope', 'print', 'simplify', 'toSql', 'where', 'build'];
  for (const names of [PAGE, withSearch, ...parts.map((name) => [name])]) {
    const { minified, gzipped } = await measureExpressionSize(names);
    console.log(names.join(' + ').padEnd(76), `${gzipped} bytes gzip, ${minified} minified`);
  }
}
