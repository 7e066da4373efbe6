import type { Random } from './random.ts';
import { thaiWords } from './thai-text.ts';

/**
 * A result as social networks answer: a few hundred posts, each a tree of some sixty members with its author and the places of its tags,
 * much of it null or false, the text in raw UTF-8.
 */
export function timelineResult(random: Random, n: number): string {
  const posts = Array.from({ length: random.integer(330, 370) }, () => post(random));
  const paging = { count: posts.length, max_id_str: digits(random, 18), refresh_url: `?since=${n}` };
  return JSON.stringify({
    jsonrpc: '2.0',
    id: n,
    result: { content: [], structuredContent: { posts, paging } },
  });
}

const tags = ['framing', 'pipes', 'bangkok', 'release', 'stdio'];
const cities = ['Chiang Mai', 'Bangkok', 'Oslo', '', 'Lima'];

function digits(random: Random, count: number): string {
  let text = '1';
  while (text.length < count) text += random.integer(0, 9);
  return text;
}

function post(random: Random): Record<string, unknown> {
  const id = digits(random, 15);
  return {
    created_at: new Date(1_790_000_000_000 + random.integer(0, 1 << 30)).toUTCString(),
    id: Number(id),
    id_str: id,
    text: `${thaiWords(random, random.integer(4, 16))} #${random.pick(tags)} https://l.example/${digits(random, 8)}`,
    source: '<a href="http://example.com/app" rel="nofollow">App for Web</a>',
    truncated: random.integer(0, 9) === 0,
    in_reply_to_status_id: null,
    in_reply_to_user_id: random.integer(0, 3) === 0 ? random.integer(1, 1 << 30) : null,
    user: author(random),
    geo: null,
    coordinates:
      random.integer(0, 5) === 0 ? [random.integer(-180, 180), random.integer(-9000, 9000) / 100] : null,
    retweet_count: random.integer(0, 5000),
    favorite_count: random.integer(0, 500),
    entities: {
      hashtags: Array.from({ length: random.integer(0, 3) }, () => ({
        text: random.pick(tags),
        indices: [random.integer(0, 60), random.integer(61, 140)],
      })),
      symbols: [],
      urls: [{ url: `https://l.example/${digits(random, 8)}`, indices: [random.integer(0, 60), 140] }],
    },
    favorited: false,
    retweeted: random.integer(0, 1) === 1,
    lang: 'th',
  };
}

function author(random: Random): Record<string, unknown> {
  const id = random.integer(1, 1 << 30);
  return {
    id,
    id_str: String(id),
    name: thaiWords(random, 2),
    screen_name: `user_${digits(random, 6)}`,
    location: random.pick(cities),
    description: thaiWords(random, random.integer(3, 12)),
    url: null,
    entities: { description: { urls: [] } },
    protected: false,
    followers_count: random.integer(0, 90_000),
    friends_count: random.integer(0, 900),
    created_at: new Date(1_500_000_000_000 + random.integer(0, 1 << 30)).toUTCString(),
    utc_offset: random.pick([null, 25_200, 32_400]),
    verified: false,
    profile_background_color: digits(random, 6),
    profile_image_url: `https://img.example/${digits(random, 12)}/photo_normal.jpeg`,
    default_profile: random.integer(0, 1) === 1,
    following: false,
  };
}
