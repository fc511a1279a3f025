// What people read of the service: the start page, and from docs/*.md and the description of the API the guides and
// the reference. The rooms know nothing of it, and it knows nothing of them.
export { registerGuides } from "./register-guides.ts";
