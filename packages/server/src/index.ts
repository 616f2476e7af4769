export { type Config, type LogLevel, ConfigError, readConfig } from './config.ts';
export { manageHeap } from './garbage.ts';
export { type LogDestination, type RunningService, startService } from './start.ts';
