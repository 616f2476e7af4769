import { EXPORTS, MAX_TOLD_RESULTS, type Run, type SubmittedStep, notRunText, outcomeOf } from '@assay/contract';
import { version } from '../../version.ts';
import type { EmbeddedPicture } from './embedded-pictures.ts';
import { type ExportedCase, type ExportedRun, type ToldAttempt, readExported } from './exported-run.ts';
import { POLICY, SCRIPT, STYLE } from './html-page.ts';
import { coloured, escapeHtml, isolated } from './html-text.ts';

/** Results that are open at the start. */
const OPEN_RESULTS = 5;
const PIECE_LENGTH = 256 * 1024;
const LONGEST_TEXT = 20_000;
const MOST_STEPS = 200;

/** One file that opens anywhere without a network: failed results first, then flaky ones, with what is told of them. */
export async function* writeHtml(exported: ExportedRun): AsyncGenerator<string> {
  const { run, projectName, cases } = exported;
  const pictures = await exported.pictures();
  yield writeHead(run, projectName);
  let written = 0;
  for (const only of ['failed', 'flaky'] as const) {
    for await (const some of cases({ withDetails: true, only })) {
      let text = '';
      for (const one of some.slice(0, MAX_TOLD_RESULTS - written)) {
        text += writeTelling(one, await pictures.of(one.result.id), written++ < OPEN_RESULTS);
        if (text.length < PIECE_LENGTH) continue;
        yield text;
        text = '';
      }
      yield text;
      if (written === MAX_TOLD_RESULTS) break;
    }
  }
  yield '<div id="list"></div>\n<button type="button" id="more" hidden></button>\n';
  let passedOver = 0;
  for (const only of ['failed', 'flaky', 'others'] as const) {
    for await (const some of cases({ withDetails: false, only })) {
      const rest = some.slice(only === 'others' ? 0 : Math.max(0, written - passedOver));
      if (only !== 'others') passedOver += some.length;
      if (rest.length > 0) yield writePlain(rest);
    }
  }
  yield writeFoot(pictures.leftOut);
}

type Result = ExportedCase['result'];
type Kind = 'failed' | 'flaky' | 'passed' | 'skipped' | 'other';

const kindOf = ({ status, flaky }: Result): Kind => (flaky ? 'flaky' : outcomeOf(status));

const writeHead = (run: Run, projectName: string): string => {
  const title = `Run #${run.id} of ${projectName}`;
  const facts: readonly (readonly [name: string, value: string | number | null])[] = [
    ['Status', run.status],
    ['Started', run.startTime.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')],
    ['Duration', run.duration === null ? null : durationOf(run.duration)],
    ['Branch', run.branch],
    ['Commit', run.commit],
    ['Author', run.author],
    ['Change', run.commitMessage],
    ['Pull request', run.pullRequest],
    ['Environment', run.environment],
    ['Tests', run.totalTests],
  ];
  const counts: readonly (readonly [kind: Kind, label: string, count: number])[] = [
    ['failed', 'Failed', run.failedTests],
    ['flaky', 'Flaky', run.flakyTests],
    ['passed', 'Passed', Math.max(0, run.passedTests - run.flakyTests)],
    ['skipped', 'Skipped', run.skippedTests],
  ];
  const list = facts.flatMap(([name, value]) =>
    value === null ? [] : `<div><dt>${name}</dt><dd>${isolated(String(value))}</dd></div>`,
  );
  const buttons = [...counts, ['other', 'Other'] as const].map(
    ([kind, label]) => `<button type="button" data-kind="${kind}" aria-pressed="false">${label}</button>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<main>
<h1>${isolated(title)}</h1>
<dl>${list.join('')}${counts.map(([, label, count]) => `<div><dt>${label}</dt><dd>${count}</dd></div>`).join('')}</dl>
<div class="tools" hidden>
<button type="button" data-kind="all" aria-pressed="true">All</button>${buttons.join('')}
<input id="search" type="search" aria-label="Filter by title, file, browser or tag" placeholder="Title, file, browser or tag">
</div>
<p class="about" id="shown" role="status"></p>
<noscript><p>Scripts are off: results that neither failed nor were flaky are not listed.</p></noscript>
<section id="results" aria-label="Results">
`;
};

const writeFoot = (leftOut: number): string => `<p class="more" id="none" hidden>No result matches the filter.</p>
</section>
<footer>
<p>${escapeHtml(EXPORTS.html.loss)}</p>
${leftOut > 0 ? `<p>${leftOut === 1 ? '1 picture was' : `${leftOut} pictures were`} left out.</p>\n` : ''}<p>Exported by Assay ${escapeHtml(version)}.</p>
</footer>
</main>
<script>${SCRIPT}</script>
</html>
`;

const LABELS: Readonly<Record<Kind, string>> = {
  failed: '✕ Failed',
  flaky: '△ Flaky',
  passed: '✓ Passed',
  skipped: '– Skipped',
  other: '',
};
const OWN_LABELS: ReadonlyMap<string, string> = new Map([
  ['timedOut', '✕ Timed out'],
  ['interrupted', '✕ Interrupted'],
]);

const lineOf = (result: Result) => {
  const { title, status, duration, filePath, line, browser, tags } = result;
  const kind = kindOf(result);
  return {
    kind,
    label: OWN_LABELS.get(status) ?? (kind === 'other' ? status : LABELS[kind]),
    title,
    place: line === null ? filePath : `${filePath}:${line}`,
    why: result.notRun ? notRunText(result.notRun) : '',
    chips: [...(browser === null ? [] : [browser]), ...tags],
    time: duration === null ? '' : durationOf(duration),
  };
};

/** As data that the script makes elements of: a run of any size is opened at once. */
const writePlain = (some: readonly ExportedCase[]): string => {
  const rows = some.map(({ result }) => {
    const { kind, label, title, place, chips, time, why } = lineOf(result);
    return [kind, label, title, place, chips, time, why];
  });
  return `<script type="application/json">${JSON.stringify(rows).replaceAll('<', '\\u003c')}</script>\n`;
};

const writeSummary = (result: Result): string => {
  const { kind, label, title, place, chips, time } = lineOf(result);
  const tags = chips.map((text) => ` <span class="tag">${isolated(text)}</span>`);
  return `<summary class="line"><span class="mark ${kind}">${escapeHtml(label)}</span> <span class="title">${isolated(title)}</span> <span class="time">${time}</span> <span class="file">${isolated(place)}${tags.join('')}</span></summary>`;
};

const writeTelling = (one: ExportedCase, pictures: readonly EmbeddedPicture[], isOpen: boolean): string => {
  const { result } = one;
  const { earlier, last, steps, annotations } = readExported(one);
  const attempts = [...earlier, { ...last, status: result.status, error: result.error ?? last.error }];
  const parts = [
    ...annotations.map(
      ({ type, description }) =>
        `<p class="about">${isolated(type)}${description ? `: ${isolated(description)}` : ''}</p>`,
    ),
    ...attempts.map((attempt, at) =>
      writeAttempt(
        attempt,
        attempts.length > 1 ? at + 1 : null,
        pictures.filter((picture) => picture.attempt === at),
      ),
    ),
    ...(steps.length > 0 ? [`<h2>Steps</h2>${writeSteps(steps, { left: MOST_STEPS })}`] : []),
  ];
  return `<details class="result" data-kind="${kindOf(result)}"${isOpen ? ' open' : ''}>${writeSummary(result)}<div class="more">${parts.join('\n')}</div></details>\n`;
};

const writeAttempt = (attempt: ToldAttempt, number: number | null, pictures: readonly EmbeddedPicture[]): string => {
  const { status, duration, error, stdout, stderr } = attempt;
  const facts = [status, duration === null ? null : durationOf(duration)].flatMap((fact) =>
    fact === null ? [] : ` · ${escapeHtml(fact)}`,
  );
  return [
    ...(number === null ? [] : [`<h2>Attempt ${number}${facts.join('')}</h2>`]),
    ...(error ? [`<pre>${coloured(cut(error))}</pre>`] : []),
    ...pictures.map(({ url }) =>
      url === null
        ? '<p class="about">Its picture was left out.</p>'
        : `<img src="${url}" alt="Picture of ${number === null ? 'the attempt' : `attempt ${number}`}" loading="lazy" decoding="async">`,
    ),
    ...writeOutput('Standard output', stdout),
    ...writeOutput('Standard error', stderr),
  ].join('\n');
};

const writeOutput = (name: string, text: string): string[] =>
  text === '' ? [] : [`<h2>${name}</h2><pre>${coloured(cut(text))}</pre>`];

const writeSteps = (steps: readonly SubmittedStep[], budget: { left: number }): string => {
  const items = steps.flatMap((step) => {
    if (budget.left === 0) return [];
    budget.left--;
    const time = typeof step.duration === 'number' ? ` <span class="time">${durationOf(step.duration)}</span>` : '';
    const inner = step.steps && step.steps.length > 0 ? writeSteps(step.steps, budget) : '';
    return `<li${step.error ? ' class="failed"' : ''}>${isolated(step.title)}${time}${inner}</li>`;
  });
  if (items.length < steps.length) items.push(`<li>More steps were left out.</li>`);
  return `<ul>${items.join('')}</ul>`;
};

/** Beginning and end say most. */
const cut = (text: string): string => {
  if (text.length <= LONGEST_TEXT) return text;
  const half = LONGEST_TEXT / 2;
  return `${text.slice(0, half)}\n… ${text.length - LONGEST_TEXT} characters were left out …\n${text.slice(-half)}`;
};

const durationOf = (durationMs: number): string => {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 59_950) return `${(durationMs / 1_000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1_000);
  return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
};
