export type { GivenOptions as AssayOptions } from '../options/options.ts';
export { default } from './reporter.ts';
