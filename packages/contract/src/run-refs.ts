import { type Static, Type } from 'typebox';
import { Id } from './ids.ts';
import { Run } from './run.ts';
import { Time } from './schema.ts';

const { id, status, startTime, duration, branch, commit } = Run.properties;
const { totalTests, passedTests, failedTests, skippedTests, flakyTests } = Run.properties;

/** A run as other resources name it. */
export const RunRef = Type.Object({ id, status, startTime, duration, branch, commit }, { title: 'RunRef' });
export type RunRef = Static<typeof RunRef>;

/** A run as one point of a series. */
export const RunPoint = Type.Object(
  { id, status, startTime, duration, totalTests, passedTests, failedTests, skippedTests, flakyTests },
  { title: 'RunPoint' },
);
export type RunPoint = Static<typeof RunPoint>;

/** A run together with the result of one test in it. */
export const RunOfResult = Type.Object({ ...RunRef.properties, testCaseId: Id }, { title: 'RunOfResult' });
export type RunOfResult = Static<typeof RunOfResult>;

/** One result, as figures over many name it. */
export const ResultRef = Type.Object({ testRunId: Id, testCaseId: Id, startTime: Time }, { title: 'ResultRef' });
export type ResultRef = Static<typeof ResultRef>;
