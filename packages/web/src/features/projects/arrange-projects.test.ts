import type { Project } from '@assay/contract';
import { describe, expect, it } from 'vitest';
import { sampleRun } from '../project/sample-run.ts';
import { arrangeProjects, tagsOf } from './arrange-projects.ts';

const START = '2026-01-01T00:00:00.000Z';

const project = (name: string, fields: Partial<Project> = {}): Project => ({
  id: 1,
  name,
  label: null,
  description: null,
  repositoryUrl: null,
  tags: [],
  archivedAt: null,
  createdAt: START,
  updatedAt: START,
  totalRuns: 1,
  totalTestCases: 1,
  defaultBranch: 'main',
  latestRun: null,
  defaultBranchRun: null,
  ...fields,
});
const run = (status: string, failedTests = 0) =>
  sampleRun({ id: 1, status, failedTests, passedTests: 10 - failedTests });
const ran = (name: string, status: string, failedTests = 0): Project =>
  project(name, { latestRun: run(status, failedTests), defaultBranchRun: run(status, failedTests) });

const PROJECTS = [
  ran('zebra', 'passed'),
  project('new'),
  ran('ant', 'failed', 1),
  ran('bee', 'running'),
  ran('cat', 'timedout', 5),
];
const names = (projects: readonly Project[]): string[] => projects.map(({ name }) => name);
const ALL = { search: '', filter: 'all', tag: '', sort: 'status' } as const;

describe('arrangeProjects', () => {
  it('has the failing ones first and those without a run last, each by activity', () => {
    expect(names(arrangeProjects(PROJECTS, ALL))).toEqual(['ant', 'cat', 'bee', 'zebra', 'new']);
  });

  it('goes by the default branch, not by whichever branch ran last', () => {
    const green = project('green', { latestRun: run('failed', 1), defaultBranchRun: run('passed') });
    const red = project('red', { latestRun: run('passed'), defaultBranchRun: run('failed', 1) });
    expect(names(arrangeProjects([green, red], ALL))).toEqual(['red', 'green']);
    expect(names(arrangeProjects([green, red], { ...ALL, filter: 'failing' }))).toEqual(['red']);
  });

  it('sorts by activity, name and pass rate', () => {
    expect(names(arrangeProjects(PROJECTS, { ...ALL, sort: 'activity' }))).toEqual(names(PROJECTS));
    expect(names(arrangeProjects(PROJECTS, { ...ALL, sort: 'name' }))).toEqual(['ant', 'bee', 'cat', 'new', 'zebra']);
    expect(names(arrangeProjects(PROJECTS, { ...ALL, sort: 'rate' }))[0]).toBe('cat');
  });

  it('leaves archived ones out until they are asked for', () => {
    const old = project('old', { archivedAt: START, latestRun: run('failed', 1) });
    const projects = [old, ran('new', 'failed', 1)];
    expect(names(arrangeProjects(projects, ALL))).toEqual(['new']);
    expect(names(arrangeProjects(projects, { ...ALL, filter: 'failing' }))).toEqual(['new']);
    expect(names(arrangeProjects(projects, { ...ALL, filter: 'archived' }))).toEqual(['old']);
  });

  it('has those with a tag', () => {
    const projects = [project('a', { tags: ['web', 'App'] }), project('b', { tags: ['web'] }), project('c')];
    expect(tagsOf(projects)).toEqual(['App', 'web']);
    expect(names(arrangeProjects(projects, { ...ALL, tag: 'web' }))).toEqual(['a', 'b']);
    expect(names(arrangeProjects(projects, { ...ALL, tag: 'We' }))).toEqual([]);
    expect(names(arrangeProjects(projects, { ...ALL, search: 'app' }))).toEqual(['a']);
  });

  it('finds words in names, labels and descriptions', () => {
    const shop = project('a', { label: 'Web Shop', description: 'checkout of the shop' });
    expect(arrangeProjects([shop, project('b')], { ...ALL, search: ' SHOP  checkout ' })).toEqual([shop]);
  });
});
