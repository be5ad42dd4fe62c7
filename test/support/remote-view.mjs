// A process that follows a session of another one, as `troupe attach` does: over the control socket and in its journal.
// It answers the session's requests, and sends its view to whoever started it: at its beginning, and when the session is over.
import { setTimeout as wait } from 'node:timers/promises';
import { serialize } from 'node:v8';

const built = (path) => import(new URL(`../../.build/modules/${path}`, import.meta.url).href);
const [{ openRemoteSession }, { seeAll }, { waitingRequests }] = await Promise.all([
  built('cli/attach/remote-session.js'),
  built('cli/control/running.js'),
  built('cli/control/waiting-requests.js'),
]);

const [, , home, sessionId] = process.argv;
const seen = await seeAll(home, (_listener, error) => {
  throw error;
});
const [{ troupe }] = seen;
const session = openRemoteSession(sessionId, { troupe, env: { TROUPE_HOME: home }, canAct: true });
const tell = (state, onSent) => process.send(serialize(state).toString('base64'), onSent);
tell(await session.next());

/** Whether the other process still answers. */
async function decideAll() {
  for (const { request } of await waitingRequests(seen, () => {})) {
    const { requestId } = request;
    await troupe.ask({ method: 'decide', requestId, answer: { behavior: 'allow' }, by: 'another' });
  }
  return troupe.ask({ method: 'tree' }).then(
    () => true,
    () => false,
  );
}

while (await decideAll()) {
  await session.next();
  await wait(20);
}
tell(await session.next(), () => process.disconnect());
