import { isAbsolute, resolve } from 'node:path';
import { RequestError, type ResumeSessionRequest } from '@agentclientprotocol/sdk';
import { allSessions, workFolder } from '../../api/sessions/sessions.js';
import type { FoundSession } from '../../api/types.js';
import {
  openAcpSession,
  type OpenedSession,
  type OpeningOptions,
  type Wanted,
} from './open-session.js';
import { invalidParams } from './to-request-error.js';

/** The open sessions of a connection. */
export interface SessionRegistry {
  /** @throws RequestError if there is no open session with this ID */
  find(sessionId: string): OpenedSession;
  open(wanted: Wanted, options: OpeningOptions): Promise<OpenedSession>;
  /** Resume a session of the same folder, or take the one that is open. */
  resume(wanted: ResumeSessionRequest, options: OpeningOptions): Promise<ResumedSession>;
  /** End a session: its prompts end as cancelled, and its journal stays. */
  end(sessionId: string, reason: string): Promise<void>;
  /** End all sessions, those that begin at this moment too. */
  close(reason: string): Promise<void>;
}

export type ResumedSession = { readonly found: FoundSession; readonly session: OpenedSession };

/** @param home the folder of all sessions */
export function createSessionRegistry(home: string): SessionRegistry {
  const sessions = new Map<string, OpenedSession>();
  /** Sessions that begin or end. */
  const changing = new Set<Promise<unknown>>();
  let isClosing = false;

  const during = async <T>(work: Promise<T>): Promise<T> => {
    changing.add(work);
    try {
      return await work;
    } finally {
      changing.delete(work);
    }
  };
  const find = (sessionId: string): OpenedSession => {
    const found = sessions.get(sessionId);
    if (found === undefined) throw RequestError.sessionNotFound(sessionId);
    return found;
  };
  const open = async (wanted: Wanted, options: OpeningOptions): Promise<OpenedSession> => {
    const { cwd, additionalDirectories } = wanted;
    for (const path of [cwd, ...additionalDirectories])
      if (!isAbsolute(path)) throw invalidParams(`${path} is not an absolute path.`);
    const opened = await openAcpSession({ ...wanted, cwd: resolve(cwd) }, options);
    sessions.set(opened.sessionId, opened);
    if (isClosing) await end(opened.sessionId, GONE);
    return opened;
  };
  const end = async (sessionId: string, reason: string): Promise<void> => {
    const session = find(sessionId);
    sessions.delete(sessionId);
    session.cancel();
    await session.close(reason);
  };
  return {
    find,
    open: (wanted, options) => during(open(wanted, options)),
    async resume({ sessionId, cwd, additionalDirectories = [], mcpServers = [] }, options) {
      const found = allSessions(home).find(({ id }) => id === sessionId);
      if (found === undefined) throw RequestError.sessionNotFound(sessionId);
      const folder = workFolder(found);
      if (folder !== resolve(cwd))
        throw invalidParams(`The session ${sessionId} works in ${folder}, not in ${cwd}.`);
      const wanted = { cwd, additionalDirectories, mcpServers, resume: sessionId };
      const session = sessions.get(sessionId) ?? (await during(open(wanted, options)));
      return { found, session };
    },
    end: (sessionId, reason) => during(end(sessionId, reason)),
    async close(reason) {
      isClosing = true;
      const ends = [...sessions.keys()].map((sessionId) => end(sessionId, reason));
      await Promise.allSettled([...ends, ...changing]);
    },
  };
}

const GONE = 'the client has gone';
