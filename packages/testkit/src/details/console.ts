import type { ConsoleMessage } from '@assay/contract';
import type { Attempt } from '../behaviour.ts';
import type { Random } from '../random.ts';

const WARNINGS = [
  'Each item of a list should have a key of its own',
  'A deprecated option of the date picker is in use: weekStart',
  'Image was preloaded but not used within a few seconds of the page loading',
] as const;

/** What the page wrote to its console: a warning now and then, and what went wrong when the attempt failed. */
export const consoleOf = (
  random: Random,
  host: string,
  { failure, durationMs }: Attempt,
  startTime: number,
): ConsoleMessage[] => {
  const location = `${host}/assets/index.js:${random.integer(1, 40)}`;
  const message = (type: ConsoleMessage['type'], text: string, share: number): ConsoleMessage => ({
    type,
    text,
    startTime: new Date(startTime + Math.round(durationMs * share)).toISOString(),
    location,
  });
  return [
    ...(random.chance(0.08) ? [message('warning', random.pick(WARNINGS), 0.2)] : []),
    ...(failure === null
      ? []
      : [
          message(
            'error',
            `Failed to load resource: the server responded with ${random.pick([404, 500, 502, 503])}`,
            0.7,
          ),
        ]),
    ...(failure !== null && random.chance(0.4)
      ? [
          message(
            'error',
            "Uncaught (in promise) TypeError: Cannot read properties of undefined (reading 'items')",
            0.75,
          ),
        ]
      : []),
  ];
};
