export * from './node.ts';
export * from './issue.ts';
export * from './limits.ts';
