import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { type JudgeOptions, judge } from './judge.ts';
import { type Answer, type Question, listQuestions, readLines, writeLine } from './protocol.ts';

const HELP = `expression-vectors [options] -- <command> [arguments]

Starts the command, sends it every vector as a line of JSON and reads a line of JSON for each.
The README of the package describes the lines.

  --only FILES    only these, separated by commas: shape, refusal, constants, meaning, text, sql
  --any-code      a refusal under any code and path is right
  --show N        how many differences are printed          (10)
  --timeout N     seconds that it may take for one answer   (60)
`;

type Verdict = 'passed' | 'failed' | 'skipped';

interface Judged {
  readonly question: Question;
  readonly verdict: Verdict;
  readonly difference?: string | undefined;
}

/** Asks a command all questions; what it does not answer is left out of the map. */
async function ask(
  command: readonly string[],
  questions: readonly Question[],
  timeoutMs: number,
): Promise<{ answers: Map<number, Answer>; problem?: string }> {
  const [program, ...args] = command;
  const child = spawn(program!, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = new Map<number, Answer>();
  let problem: string | undefined;
  const stop = (reason: string): void => {
    problem ??= reason;
    child.kill();
  };
  const late = (): void => stop(`No answer for ${timeoutMs / 1000} s`);
  let timer = setTimeout(late, timeoutMs);
  child.on('error', (error) => stop(error.message));
  // A command that ends early is told by what it did not answer.
  const asked = pipeline(Readable.from(questions.map(({ request }) => writeLine(request))), child.stdin).catch(
    () => {},
  );
  for await (const line of readLines(child.stdout)) {
    clearTimeout(timer);
    timer = setTimeout(late, timeoutMs);
    const answer = readAnswer(line);
    if (answer === undefined) stop(`Not an answer: ${line.slice(0, 200)}`);
    else answers.set(answer.id, answer);
  }
  await asked;
  clearTimeout(timer);
  return { answers, ...(problem !== undefined && { problem }) };
}

function readAnswer(line: string): Answer | undefined {
  try {
    const answer = JSON.parse(line) as Answer | null;
    return typeof answer?.id === 'number' ? answer : undefined;
  } catch {
    return undefined;
  }
}

function verdictOf(question: Question, answer: Answer | undefined, options: JudgeOptions): Judged {
  if (answer === undefined) return { question, verdict: 'failed', difference: 'no answer' };
  if (answer.skipped) return { question, verdict: 'skipped' };
  const difference = judge(question, answer, options);
  return { question, verdict: difference === undefined ? 'passed' : 'failed', difference };
}

function tableOf(judged: readonly Judged[]): string {
  const levels = new Map<string, Record<Verdict, number>>();
  for (const { question, verdict } of judged) {
    const name = `${question.file.padEnd(12)}${question.level}`;
    const tally = levels.get(name) ?? { passed: 0, failed: 0, skipped: 0 };
    tally[verdict]++;
    levels.set(name, tally);
  }
  const line = (...cells: (string | number)[]): string =>
    `${String(cells[0]).padEnd(20)}${cells
      .slice(1)
      .map((cell) => String(cell).padStart(9))
      .join('')}\n`;
  const rows = [...levels].map(([level, { passed, failed, skipped }]) => line(level, passed, failed, skipped));
  return line('file        level', 'passed', 'failed', 'skipped') + rows.join('');
}

async function main(): Promise<number> {
  const split = process.argv.indexOf('--');
  const command = split === -1 ? [] : process.argv.slice(split + 1);
  const { values } = parseArgs({
    args: process.argv.slice(2, split === -1 ? undefined : split),
    options: {
      only: { type: 'string' },
      'any-code': { type: 'boolean', default: false },
      show: { type: 'string', default: '10' },
      timeout: { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || command.length === 0) {
    process.stdout.write(HELP);
    return values.help ? 0 : 1;
  }
  const files = values.only?.split(',');
  const questions = listQuestions().filter(({ file }) => files === undefined || files.includes(file));
  const { answers, problem } = await ask(command, questions, Number(values.timeout) * 1000);
  const options = { anyCode: values['any-code'] };
  const judged = questions.map((question) => verdictOf(question, answers.get(question.request.id), options));
  const failed = judged.filter(({ verdict }) => verdict === 'failed');
  for (const { question, difference } of failed.slice(0, Number(values.show))) {
    process.stdout.write(`${question.file}: ${question.name}\n     ${difference}\n`);
  }
  if (problem !== undefined) process.stdout.write(`${problem}\n`);
  process.stdout.write(tableOf(judged));
  return failed.length === 0 && judged.some(({ verdict }) => verdict === 'passed') ? 0 : 1;
}

process.exitCode = await main();
