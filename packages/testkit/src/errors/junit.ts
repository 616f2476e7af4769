import { fillPath, hex, kebab } from '../tokens.ts';
import type { FailureKind, Site, WriteError } from './failure.ts';

const frames = (lines: readonly string[]): string => lines.map((line) => `\tat ${line}`).join('\n');

const className = (site: Site): string =>
  site.path
    .replace(/^src\/test\/java\//, '')
    .replace(/\.java$/, '')
    .replaceAll('/', '.');

const simpleName = (site: Site): string => className(site).split('.').at(-1)!;

const methodName = (site: Site): string =>
  kebab(site.title.split(' › ').at(-1)!).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const caller = (site: Site): string[] => [
  `${className(site)}.${methodName(site)}(${simpleName(site)}.java:${site.line + 7})`,
  'java.base/jdk.internal.reflect.DirectMethodHandleAccessor.invoke(DirectMethodHandleAccessor.java:103)',
  'java.base/java.lang.reflect.Method.invoke(Method.java:580)',
  'org.junit.platform.commons.util.ReflectionUtils.invokeMethod(ReflectionUtils.java:728)',
  'org.junit.jupiter.engine.descriptor.TestMethodTestDescriptor.lambda$invokeTestMethod$7(TestMethodTestDescriptor.java:218)',
];

const assertion: WriteError = (stable, varying, site) => {
  const field = stable.pick(site.domain.fields);
  return `org.opentest4j.AssertionFailedError: [${field} of ${fillPath(varying, '{uuid}')}]
expected: <${stable.integer(2, 40)}> but was: <${varying.integer(41, 90)}>
${frames(['org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)', 'org.junit.jupiter.api.AssertEquals.assertEquals(AssertEquals.java:150)', ...caller(site)])}`;
};

const missing: WriteError = (stable, _, site) => {
  const field = stable.pick(site.domain.fields);
  const getter = `get${field.charAt(0).toUpperCase()}${field.slice(1)}`;
  return `java.lang.NullPointerException: Cannot invoke "com.acme.mobile.model.Account.${getter}()" because the return value of "com.acme.mobile.store.AccountStore.find(String)" is null
${frames(['com.acme.mobile.service.AccountService.load(AccountService.java:143)', 'com.acme.mobile.service.AccountService.refresh(AccountService.java:88)', ...caller(site)])}`;
};

const server: WriteError = (stable, varying, site) => {
  const [method = 'GET', path = '/'] = stable.pick(site.domain.endpoints).split(' ');
  return `java.lang.AssertionError: 1 expectation failed.
Expected status code <200> but was <${stable.pick([500, 503])}>.

${method} ${site.domain.host}${fillPath(varying, path)}
X-Request-Id: ${fillPath(varying, '{uuid}')}
${frames(['io.restassured.internal.ResponseSpecificationImpl$HamcrestAssertionClosure.validate(ResponseSpecificationImpl.groovy:598)', 'io.restassured.internal.ValidatableResponseOptionsImpl.statusCode(ValidatableResponseOptionsImpl.java:89)', ...caller(site)])}`;
};

const timeout: WriteError = (
  _,
  __,
  site,
) => `java.util.concurrent.TimeoutException: ${methodName(site)}() timed out after 10 seconds
${frames(['org.junit.jupiter.engine.extension.TimeoutExceptionFactory.create(TimeoutExceptionFactory.java:29)', ...caller(site)])}
	Suppressed: java.lang.InterruptedException: sleep interrupted
		at java.base/java.lang.Thread.sleep0(Native Method)`;

const connection: WriteError = (stable, varying, site) => {
  const host = `postgres-${stable.integer(0, 4)}.staging.svc.cluster.local`;
  return `org.springframework.dao.DataAccessResourceFailureException: Unable to acquire JDBC Connection
${frames(['org.springframework.orm.jpa.vendor.HibernateJpaDialect.convertHibernateAccessException(HibernateJpaDialect.java:255)', ...caller(site)])}
Caused by: java.sql.SQLTransientConnectionException: HikariPool-1 - Connection is not available, request timed out after ${varying.integer(30_000, 30_090)}ms.
	at com.zaxxer.hikari.pool.HikariPool.createTimeoutException(HikariPool.java:696)
Caused by: org.postgresql.util.PSQLException: Connection to ${host}:5432 refused. Check that the hostname and port are correct.
Caused by: java.net.ConnectException: Connection refused
	at java.base/sun.nio.ch.Net.pollConnect(Native Method)
	... ${varying.integer(38, 61)} more`;
};

const unstable: WriteError = (stable, varying, site) => {
  const field = stable.pick(site.domain.fields);
  return `org.awaitility.core.ConditionTimeoutException: Condition with alias '${field} is published' was not fulfilled within ${stable.pick([2, 3, 5])} seconds: expected an event for key "${hex(varying, 12)}" but none came.
${frames(['org.awaitility.core.ConditionAwaiter.await(ConditionAwaiter.java:167)', 'org.awaitility.core.ConditionFactory.until(ConditionFactory.java:985)', ...caller(site)])}`;
};

export const junitErrors: Record<FailureKind, WriteError> = {
  assertion,
  missing,
  server,
  timeout,
  connection,
  unstable,
  interrupted: () => 'java.lang.InterruptedException: build was aborted',
};
