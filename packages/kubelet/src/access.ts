/** How servers beside an API server know who asks them, and what they tell of their own requests: for other components' servers. */
export { clientFigures } from './ground/api/client-figures.ts';
export { AccessReviews } from './server/access/access-reviews.ts';
export { Authenticator, type UserInfo } from './server/access/authentication.ts';
