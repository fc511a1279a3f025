export const fr = {
  "Client ID": "ID client",
  "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.":
    "Créez dans les paramètres de Personio des identifiants d'API avec le droit de lecture et les attributs des employés à partager.",
  "Client secret": "Secret client",
  "Time zone of the company": "Fuseau horaire de l'entreprise",
  "Working times in Personio have no time zone. Leave this empty for Europe/Berlin.":
    "Personio donne les heures de travail sans fuseau horaire. Laissez ce champ vide pour Europe/Berlin.",
  "Please type a time zone, such as Europe/Berlin.":
    "Veuillez saisir un fuseau horaire, par exemple Europe/Berlin.",
  "These credentials are not known to belong to the company that is connected. Please use the same client ID as before, or credentials that may read its legal entities.":
    "Rien n'indique que ces identifiants sont ceux de l'entreprise connectée. Veuillez utiliser l'ID client précédent ou des identifiants qui peuvent lire ses entités juridiques.",
};
