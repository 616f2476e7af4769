import type { CaseDetails, Run, TestCase } from '@assay/contract';
import type { EmbeddedPictures } from './embedded-pictures.ts';

/** A run as it is exported: its cases come some at a time, so that one of any size takes the memory of a few. */
export interface ExportedRun {
  readonly run: Run;
  readonly projectName: string;
  readonly metadata: unknown;
  readonly cases: (options: CasesOptions) => AsyncGenerator<readonly ExportedCase[]>;
  readonly pictures: () => Promise<EmbeddedPictures>;
}

interface CasesOptions {
  readonly withDetails: boolean;
  /** Without it all. */
  readonly only?: 'failed' | 'flaky' | 'others';
}

export interface ExportedCase {
  readonly result: TestCase;
  /** As JSON; undefined where there are none. */
  readonly details: Uint8Array | undefined;
}

/** Attempts have no agreed shape: of an object, what is understood. */
export interface ToldAttempt {
  readonly status: string | null;
  readonly duration: number | null;
  readonly error: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_TOLD_RETRIES = 100;

/** Of one result: its details, and the attempts before its last one, as many as it has retries. */
export const readExported = ({ result, details }: ExportedCase) => {
  const read = details === undefined ? null : (JSON.parse(Buffer.from(details).toString()) as Partial<CaseDetails>);
  const attempts = (read?.attempts ?? []).map(readAttempt);
  const retries = Math.min(result.retries, MAX_TOLD_RETRIES);
  const earlier = Array.from({ length: retries }, (_, at) => (at < attempts.length - 1 ? attempts[at]! : NOTHING_TOLD));
  return {
    annotations: read?.annotations ?? [],
    steps: read?.steps ?? [],
    earlier,
    last: attempts.at(-1) ?? NOTHING_TOLD,
  };
};

const NOTHING_TOLD: ToldAttempt = { status: null, duration: null, error: null, stdout: '', stderr: '' };

const readAttempt = (attempt: unknown): ToldAttempt => {
  if (typeof attempt !== 'object' || attempt === null) return NOTHING_TOLD;
  const { status, duration, error, output, stdout, stderr } = attempt as Readonly<Record<string, unknown>>;
  const printed = Array.isArray(output) ? output : [];
  const textOf = (stream: string, whole: unknown): string =>
    typeof whole === 'string'
      ? whole
      : printed
          .filter((piece: { stream?: unknown } | null) => piece?.stream === stream)
          .map((piece: { text?: unknown }) => (typeof piece.text === 'string' ? piece.text : ''))
          .join('');
  return {
    status: typeof status === 'string' ? status : null,
    duration: typeof duration === 'number' && duration >= 0 ? duration : null,
    error: typeof error === 'string' ? error : null,
    stdout: textOf('stdout', stdout),
    stderr: textOf('stderr', stderr),
  };
};
