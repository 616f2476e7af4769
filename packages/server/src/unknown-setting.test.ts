import { expect, it } from 'vitest';
import { readConfig } from './config.ts';

it.each([
  ['SERVICE_DATADIR', 'SERVICE_DATA_DIR'],
  ['SERVICE_AUTH_ENABLE', 'SERVICE_AUTH_ENABLED'],
  ['SERVICE_AUTH_SECRETS', 'SERVICE_AUTH_SECRET'],
  ['SERVICE_AUTH_SECRET_FIEL', 'SERVICE_AUTH_SECRET_FILE'],
  ['SERVICE_MAX_BODY', 'SERVICE_MAX_BODY_MB'],
])('%s is refused with the setting that was meant', (name, meant) => {
  expect(() => readConfig({ [name]: 'true' })).toThrow(
    `${name} is not a setting of the service; did you mean ${meant}?`,
  );
});

it('what is like no setting is refused without a guess', () => {
  expect(() => readConfig({ SERVICE_COMPLETELY_DIFFERENT_THING: '' })).toThrow(/service$/);
});

it('settings that are not used, and the variables of Kubernetes, are no mistakes', () => {
  const environment = {
    SERVICE_AUTH_SECRET: 'x',
    SERVICE_AUTH_SECRET_PREVIOUS_FILE: '/nowhere',
    SERVICE_SERVICE_HOST: '10.0.0.1',
    SERVICE_SERVICE_PORT: '80',
    SERVICE_PORT: 'tcp://10.0.0.1:80',
    SERVICE_PORT_80_TCP_ADDR: '10.0.0.1',
    service_x: '1',
  };
  expect(readConfig(environment).authEnabled).toBe(false);
});
