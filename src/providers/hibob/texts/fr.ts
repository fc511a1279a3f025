export const fr = {
  "Service user ID": "ID de l’utilisateur de service",
  Token: "Jeton",
  "An administrator makes a service user in Bob. Bob shows its token once.":
    "Un administrateur crée un utilisateur de service dans Bob. Bob n’affiche son jeton qu’une fois.",
  "Time zone of the company": "Fuseau horaire de l’entreprise",
  "Working times in Bob have no time zone. Leave this empty for UTC.":
    "Bob donne les heures de travail sans lui. Laissez ce champ vide pour UTC.",
  "Please type a time zone, such as Europe/Berlin.":
    "Saisissez un fuseau horaire, par exemple Europe/Berlin.",
  "This service user is of another company than the one that is connected. Please use one of the same company.":
    "Cet utilisateur de service est d’une autre entreprise que celle qui est connectée. Utilisez-en un de la même entreprise.",
  "This service user sees nobody. Add it to a permission group in Bob that may view “Basic info” of everyone.":
    "Cet utilisateur de service ne voit personne. Ajoutez-le dans Bob à un groupe d’autorisations qui peut voir « Basic info » de tous.",
};
