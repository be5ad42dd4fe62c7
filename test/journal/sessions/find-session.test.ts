import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allSessions, findSession } from '../../../src/journal/sessions/find-session.js';
import { createFiles } from '../../support/files.js';

const FIRST = 'c47eccac-5b7d-4c1e-9a44-0d6f2b8e7c11';
const SECOND = 'c47f0000-5b7d-4c1e-9a44-0d6f2b8e7c11';

describe('findSession', () => {
  it('finds a session by a beginning of its ID that no other has', async () => {
    const home = await createFiles({});
    for (const id of [FIRST, SECOND])
      await mkdir(join(home, 'projects', 'p', id), { recursive: true });
    expect(findSession(home, 'c47ecc')).toEqual({
      id: FIRST,
      directory: join(home, 'projects', 'p', FIRST),
    });
    expect(() => findSession(home, 'c47')).toThrow('There is no session "c47". The newest: ');
  });

  it('does not choose between sessions with the same beginning', async () => {
    const home = await createFiles({});
    const third = 'c47eccac-ffff-4c1e-9a44-0d6f2b8e7c11';
    for (const id of [FIRST, third])
      await mkdir(join(home, 'projects', 'p', id), { recursive: true });
    expect(() => findSession(home, 'c47e')).toThrow(
      /^2 sessions begin with "c47e": c47eccac-\S+, c47eccac-\S+\. Write more of the ID\.$/,
    );
  });
});

it('the sessions of a folder are also those that an earlier version has kept', async () => {
  const home = await createFiles({});
  for (const [project, id] of Object.entries({ '-work-a-b': FIRST, 'work-a-b': SECOND }))
    await mkdir(join(home, 'projects', project, id), { recursive: true });
  expect(new Set(allSessions(home, '/work/a+b').map(({ id }) => id))).toEqual(
    new Set([FIRST, SECOND]),
  );
});
