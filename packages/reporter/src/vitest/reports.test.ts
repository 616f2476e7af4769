import { describe, expect, it } from 'vitest';
import { type ReportConfig, placesOfReports } from './reports.ts';

const placesOf = (version: string, config: object) =>
  placesOfReports({ root: '/shop', reporters: [], ...config } as unknown as ReportConfig, version);

describe('the reports beside this one', () => {
  it('are where their options say, else where Vitest puts them', () => {
    expect(
      placesOf('5.1.0', {
        reporters: [{}, ['default', {}], ['html', {}], ['html', { outputDir: 'out', singleFile: true }], ['blob', {}]],
      }),
    ).toMatchObject([
      { type: 'html', path: '/shop/.vitest', only: ['index.html', 'coverage', 'ui', 'attachments', 'trace'] },
      { type: 'html', path: '/shop/out', only: ['index.html', 'coverage'] },
      { type: 'vitest-blob', path: '/shop/.vitest/blob', newest: /^blob.*\.json$/ },
    ]);
  });

  it('are those of the own shard', () => {
    const [blob] = placesOf('5.1.0', { reporters: [['blob', {}]], shard: { index: 2, count: 3 } });
    expect(
      ['blob-1-3.json', 'blob-2-3.json', 'blob-linux-2-3.json'].filter((name) => blob!.newest!.test(name)),
    ).toEqual(['blob-2-3.json', 'blob-linux-2-3.json']);
  });

  it('may be in a file that the config names', () => {
    const reporters = [['blob', {}]];
    expect(placesOf('5.1.0', { reporters, outputFile: { blob: 'out/raw.json' } })).toMatchObject([
      { path: '/shop/out/raw.json' },
    ]);
    expect(placesOf('5.1.0', { reporters, outputFile: 'raw.json' })).toMatchObject([{ path: '/shop/raw.json' }]);
    expect(
      placesOf('5.1.0', { reporters: [['blob', { outputFile: 'mine.json' }]], outputFile: 'raw.json' }),
    ).toMatchObject([{ path: '/shop/mine.json' }]);
  });

  it('are elsewhere before version 5, and only the files of the report are taken from there', () => {
    const reporters = [
      ['html', {}],
      ['html', { outputFile: 'report.html' }],
      ['blob', {}],
    ];
    expect(placesOf('4.0.1', { reporters })).toMatchObject([
      { path: '/shop/html', only: expect.arrayContaining(['index.html', 'assets', 'html.meta.json.gz']) },
      { path: '/shop', only: expect.arrayContaining(['report.html', 'assets', 'html.meta.json.gz']) },
      { path: '/shop/.vitest-reports' },
    ]);
  });
});
