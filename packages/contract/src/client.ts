import { endpoints } from './endpoints.ts';
import { type Client, type ClientOptions, createClientOf } from './request.ts';

export const createClient = (options: ClientOptions): Client => createClientOf(endpoints, options);
