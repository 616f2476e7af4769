export { aCase, aSubmission } from './build.ts';
export { draws } from './draws.ts';
export { createRandom } from './random.ts';
export type { Random } from './random.ts';
export { createStory } from './story.ts';
export type { Story, StoryOptions } from './story.ts';
export { createWorld } from './world.ts';
export type { World, WorldOptions } from './world.ts';
