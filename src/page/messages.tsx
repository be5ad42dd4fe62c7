import { unmistakable } from '../core/text/printable.js';
import { selectMessages } from '../view/select-messages.js';
import { plainMessage } from '../view/plain-message.js';
import { chosenView, nameOf, openAgent, view } from './state.js';
import { clock } from './words.js';

/** Most messages that are drawn: the newest. */
const MOST = 200;
const MOST_CHARACTERS = 300;

/** Who wrote to whom. */
export function Messages() {
  const messages = selectMessages(view.value);
  const left = Math.max(0, messages.length - MOST);
  if (messages.length === 0) return <p class="facts">No message yet.</p>;
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="All messages">
      <div>
        {left > 0 ? <p class="facts">{left} earlier messages are in the conversations.</p> : null}
        <ol class="messages">
          {messages.slice(left).map(({ kind, from, to, text, sentAt, seenAt }, index) => (
            <li key={left + index} class="item">
              <time>{clock(sentAt)}</time>
              <b>
                <bdi>{unmistakable(nameOf(from))}</bdi> →{' '}
                <button
                  type="button"
                  class="link"
                  onClick={() => {
                    openAgent(to);
                    chosenView.value = 'Conversation';
                  }}
                >
                  <bdi>{unmistakable(nameOf(to))}</bdi>
                </button>
              </b>{' '}
              <small>
                {kind} ·{' '}
                {seenAt === undefined ? <b class="lost">not seen</b> : `seen ${clock(seenAt)}`}
              </small>
              <p>{unmistakable(shorten(plainMessage(text)))}</p>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

function shorten(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
