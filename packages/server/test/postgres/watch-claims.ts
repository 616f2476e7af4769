import { sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';

/** Has PostgreSQL itself note each job that is begun while it, or another of its run, is claimed. */
export const watchClaims = async ({ queries }: Database): Promise<void> => {
  await sql`CREATE TABLE double_claims (job_id bigint)`.execute(queries);
  await sql`
    CREATE FUNCTION note_double_claim() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE now_ms bigint := extract(epoch FROM clock_timestamp()) * 1000;
    BEGIN
      IF new.attempts > old.attempts AND (old.claimed_until > now_ms OR EXISTS (
        SELECT 1 FROM jobs WHERE run_id = new.run_id AND id <> new.id AND claimed_until > now_ms
      )) THEN
        INSERT INTO double_claims VALUES (new.id);
      END IF;
      RETURN NULL;
    END $$`.execute(queries);
  await sql`
    CREATE TRIGGER note_double_claim AFTER UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION note_double_claim()`.execute(
    queries,
  );
};

export const countDoubleClaims = async ({ queries }: Database): Promise<number> => {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM double_claims`.execute(queries);
  return rows[0]!.count;
};
