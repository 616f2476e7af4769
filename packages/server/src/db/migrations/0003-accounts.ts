import type { Dialect, Queries } from '../database.ts';
import type { Migration } from '../migrate.ts';
import { columnTypes } from './column-types.ts';

export const accounts: Migration = {
  name: 'accounts',
  async up(queries: Queries, dialect: Dialect) {
    const { schema } = queries;
    const { bytes, numeric, idType, newId } = columnTypes(dialect);

    await schema
      .createTable('users')
      .addColumn('id', idType, newId)
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('username_key', 'text', (column) => column.notNull().unique())
      .addColumn('name', 'text')
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('password', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();

    await schema
      .createTable('sessions')
      .addColumn('id', idType, newId)
      .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
      .addColumn('token_hash', bytes, (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('user_agent', 'text')
      .execute();
    await schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute();
    await schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at').execute();

    await schema
      .createTable('api_keys')
      .addColumn('id', idType, newId)
      .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
      .addColumn('hash', bytes, (column) => column.notNull().unique())
      .addColumn('prefix', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .execute();
    await schema.createIndex('api_keys_by_user').on('api_keys').column('user_id').execute();

    await schema
      .createTable('login_attempts')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('level', numeric, (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute();
    await schema.createIndex('login_attempts_by_age').on('login_attempts').column('changed_at').execute();

    await schema
      .createTable('known_addresses')
      .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id'))
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('known_addresses_pk', ['user_id', 'address'])
      .execute();

    await schema
      .createTable('audit')
      .addColumn('id', idType, newId)
      .addColumn('time', 'bigint', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('details', 'text')
      .addColumn('user_id', 'bigint')
      .addColumn('username', 'text')
      .addColumn('address', 'text')
      .execute();
  },
};
