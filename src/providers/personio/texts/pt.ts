export const pt = {
  "Client ID": "ID de cliente",
  "Make API credentials in Personio's settings, with the right to read and the attributes of employees to share.":
    "Crie nas definições de Personio credenciais da API com permissão de leitura e com os atributos dos colaboradores que pretende partilhar.",
  "Client secret": "Segredo de cliente",
  "Time zone of the company": "Fuso horário da empresa",
  "Working times in Personio have no time zone. Leave this empty for Europe/Berlin.":
    "Personio indica as horas de trabalho sem fuso horário. Deixe este campo vazio para Europe/Berlin.",
  "Please type a time zone, such as Europe/Berlin.":
    "Introduza um fuso horário, por exemplo Europe/Berlin.",
  "These credentials are not known to belong to the company that is connected. Please use the same client ID as before, or credentials that may read its legal entities.":
    "Não se sabe se estas credenciais são da empresa ligada. Utilize o ID de cliente anterior ou credenciais que possam ler as suas entidades jurídicas.",
};
