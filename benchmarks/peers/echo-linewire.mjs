// The same over own stdio: every frame is found, told by kind, decoded to text and sent back.
import { openOwnStdio } from '@linewire/transport';

const duplex = openOwnStdio({ validate: 'envelope' });
duplex.start({
  onFrames(batch) {
    for (let index = 0; index < batch.count; index++) {
      if (batch.kind(index) === 'request') duplex.sendEncoded(batch.text(index));
    }
  },
  onEnd: () => duplex.close(),
});
